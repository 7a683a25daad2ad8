-- Puts runs into their org's queue, unless they are there or taken already.
-- Tells all hubs which hosts have something new.
-- ARGV: per run: org, host, job, run, priority, server, type, payload, attempt, timeout
local told = {}
for i = 1, #ARGV, 10 do
  local org, host, job, run = ARGV[i], ARGV[i + 1], ARGV[i + 2], ARGV[i + 3]
  local queue = 'jobs:' .. org
  if redis.call('SISMEMBER', 'host:' .. host .. ':running', run) == 0 then
    redis.call('HSET', queue, run, cjson.encode({
      jobId = job, jobRunId = run, hostId = host, serverInstanceId = ARGV[i + 5],
      type = ARGV[i + 6], payload = ARGV[i + 7], attempt = ARGV[i + 8], timeout = ARGV[i + 9]}))
    redis.call('ZADD', queue .. ':' .. host, -tonumber(ARGV[i + 4]), job .. ':' .. run)
    told[host] = true
  end
end
for host in pairs(told) do
  redis.call('PUBLISH', 'jobs:work', host)
end
return 1
