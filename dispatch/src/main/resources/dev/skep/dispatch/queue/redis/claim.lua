-- Takes the next runs of each host that its limits allow: highest priority, then oldest job.
-- ARGV: now, lease end (both ms), minute, then per host: org, host, cap, per minute (-1: any), wanted
if redis.call('EXISTS', 'jobs:generation') == 0 then
  return redis.error_reply('SKEPEMPTY this Redis has lost its queues')
end
local answers = {}
for i = 4, #ARGV, 5 do
  local org, host = ARGV[i], ARGV[i + 1]
  local cap, rate, wanted = tonumber(ARGV[i + 2]), tonumber(ARGV[i + 3]), tonumber(ARGV[i + 4])
  local queue = 'jobs:' .. org
  local running = 'host:' .. host .. ':running'
  local minute = 'host:' .. host .. ':jobs_minute:' .. ARGV[3]
  local answer = {'free'}
  local free = cap - redis.call('SCARD', running)
  if free <= 0 then
    answer[1] = 'cap'
  elseif rate >= 0 then
    free = math.min(free, rate - tonumber(redis.call('GET', minute) or '0'))
    if free <= 0 then
      answer[1] = 'rate'
    end
  end
  local n = math.min(free, wanted)
  if n > 0 then
    local popped = redis.call('ZPOPMIN', queue .. ':' .. host, n)
    for p = 1, #popped, 2 do
      local run = string.sub(popped[p], string.find(popped[p], ':', 1, true) + 1)
      local data = redis.call('HGET', queue, run)
      if data then
        local job = cjson.decode(data)
        redis.call('SADD', running, run)
        redis.call('ZADD', 'jobs:leases', ARGV[2], org .. '\t' .. host .. '\t' .. run)
        for _, value in ipairs({job.jobId, run, job.serverInstanceId, job.type, job.payload, job.attempt, job.timeout}) do
          answer[#answer + 1] = value
        end
      end
    end
    if rate >= 0 and #answer > 1 then
      redis.call('INCRBY', minute, (#answer - 1) / 7)
      redis.call('EXPIRE', minute, 120)
    end
  end
  answers[#answers + 1] = answer
end
return answers
