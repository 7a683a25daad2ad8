-- Takes the next runs of each host that its limits allow: highest priority, then oldest job.
-- ARGV: now, lease end (both ms), minute, then per host: org, host, cap, per minute (-1: any), wanted
-- Answers per host: 'free', 'cap' or 'rate', then the data of each run
if redis.call('EXISTS', 'jobs:generation') == 0 then
  return redis.error_reply('SKEPEMPTY this Redis has lost its queues')
end
local answers = {}
local leases = {}
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
  local popped = n > 0 and redis.call('ZPOPMIN', queue .. ':' .. host, n) or {}
  if #popped > 0 then
    local runs, taken = {}, {}
    for p = 1, #popped, 2 do
      runs[#runs + 1] = string.sub(popped[p], string.find(popped[p], ':', 1, true) + 1)
    end
    for r, data in ipairs(redis.call('HMGET', queue, unpack(runs))) do
      if data then
        answer[#answer + 1] = data
        taken[#taken + 1] = runs[r]
        leases[#leases + 1] = ARGV[2]
        leases[#leases + 1] = org .. '\t' .. host .. '\t' .. runs[r]
      end
    end
    if #taken > 0 then
      -- Whoever needs the data again gets it from the ledger.
      redis.call('HDEL', queue, unpack(taken))
      redis.call('SADD', running, unpack(taken))
      if rate >= 0 and redis.call('INCRBY', minute, #taken) == #taken then
        redis.call('EXPIRE', minute, 120)
      end
    end
  end
  answers[#answers + 1] = answer
end
if #leases > 0 then
  redis.call('ZADD', 'jobs:leases', unpack(leases))
end
return answers
