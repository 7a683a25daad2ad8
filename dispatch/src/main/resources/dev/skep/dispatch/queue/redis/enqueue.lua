-- Puts runs into their org's queue, unless they hold a slot already; one that steers holds none, and is refused by the
-- ledger if it is taken twice. Tells all hubs which hosts have something new.
-- Runs of one priority stand in the order of their ids, which begin with their jobs'.
-- ARGV: per run: org, host, run, priority, its data
local told = {}
for i = 1, #ARGV, 5 do
  local host, run = ARGV[i + 1], ARGV[i + 2]
  local queue = 'jobs:' .. ARGV[i]
  if redis.call('SISMEMBER', 'host:' .. host .. ':running', run) == 0 then
    redis.call('HSET', queue, run, ARGV[i + 4])
    redis.call('ZADD', queue .. ':' .. host, -tonumber(ARGV[i + 3]), run)
    told[host] = true
  end
end
for host in pairs(told) do
  redis.call('PUBLISH', 'jobs:work', host)
end
return 1
