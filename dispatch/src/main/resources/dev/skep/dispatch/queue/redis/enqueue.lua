-- Puts runs into their org's queue, unless they are there or taken already.
-- Tells all hubs which hosts have something new.
-- ARGV: per run: org, host, job, run, priority, whether it steers (1 or 0), its data
local told = {}
for i = 1, #ARGV, 7 do
  local org, host, job, run = ARGV[i], ARGV[i + 1], ARGV[i + 2], ARGV[i + 3]
  local queue = 'jobs:' .. org
  local taken
  if ARGV[i + 5] == '1' then
    taken = redis.call('ZSCORE', 'jobs:leases', org .. '\t' .. host .. '\t' .. run)
  else
    taken = redis.call('SISMEMBER', 'host:' .. host .. ':running', run) == 1
  end
  if not taken then
    redis.call('HSET', queue, run, ARGV[i + 6])
    redis.call('ZADD', queue .. ':' .. host, -tonumber(ARGV[i + 4]), job .. ':' .. run)
    told[host] = true
  end
end
for host in pairs(told) do
  redis.call('PUBLISH', 'jobs:work', host)
end
return 1
