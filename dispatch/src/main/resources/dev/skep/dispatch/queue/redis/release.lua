-- Forgets runs that are over. ARGV: per run: org, host, job, run
for i = 1, #ARGV, 4 do
  local org, host, job, run = ARGV[i], ARGV[i + 1], ARGV[i + 2], ARGV[i + 3]
  redis.call('SREM', 'host:' .. host .. ':running', run)
  redis.call('ZREM', 'jobs:leases', org .. '\t' .. host .. '\t' .. run)
  redis.call('ZREM', 'jobs:' .. org .. ':' .. host, job .. ':' .. run)
  redis.call('HDEL', 'jobs:' .. org, run)
  redis.call('SREM', 'jobs:cancels', run)
end
return 1
