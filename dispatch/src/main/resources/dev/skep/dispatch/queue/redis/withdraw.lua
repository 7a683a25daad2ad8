-- Takes runs that wait out of their queues. ARGV: per run: org, host, job, run
for i = 1, #ARGV, 4 do
  local queue = 'jobs:' .. ARGV[i]
  redis.call('ZREM', queue .. ':' .. ARGV[i + 1], ARGV[i + 2] .. ':' .. ARGV[i + 3])
  redis.call('HDEL', queue, ARGV[i + 3])
end
return 1
