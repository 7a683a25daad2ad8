-- Gives runs that the ledger knows as running their slots back. ARGV: per run: host, run
for i = 1, #ARGV, 2 do
  redis.call('SADD', 'host:' .. ARGV[i] .. ':running', ARGV[i + 1])
end
return 1
