-- Frees the slots of runs that their hosts say are over; their leases stay until the ledger knows.
-- Then takes the next runs of each host that its limits allow: highest priority, then oldest job. Runs that steer
-- have the lowest scores, and no limit holds for them.
-- ARGV: lease end (ms), minute, highest score of runs that steer, then per host:
--   org, host, cap, per minute (-1: any), how many of anything and how many that steer it takes, n, n runs that are over
-- Answers per host: 'free', 'cap' or 'rate', how many steer, then the data of each run, those first
if redis.call('EXISTS', 'jobs:generation') == 0 then
  return redis.error_reply('SKEPEMPTY this Redis has lost its queues')
end
local answers, leases = {}, {}
local i = 4
while i <= #ARGV do
  local org, host = ARGV[i], ARGV[i + 1]
  local cap, rate = tonumber(ARGV[i + 2]), tonumber(ARGV[i + 3])
  local anything, steering, over = tonumber(ARGV[i + 4]), tonumber(ARGV[i + 5]), tonumber(ARGV[i + 6])
  local queue = 'jobs:' .. org
  local waiting = queue .. ':' .. host
  local running = 'host:' .. host .. ':running'
  local minute = 'host:' .. host .. ':jobs_minute:' .. ARGV[2]
  if over > 0 then
    redis.call('SREM', running, unpack(ARGV, i + 7, i + 6 + over))
  end
  i = i + 7 + over
  local answer = {'free', 0}
  local members, steer = {}, 0
  if anything + steering > 0 then
    local free = cap - redis.call('SCARD', running)
    if free <= 0 then
      answer[1] = 'cap'
    elseif rate >= 0 then
      free = math.min(free, rate - tonumber(redis.call('GET', minute) or '0'))
      if free <= 0 then
        answer[1] = 'rate'
      end
    end
    if steering > 0 or free < anything then
      members = redis.call('ZRANGEBYSCORE', waiting, '-inf', ARGV[3], 'LIMIT', 0, anything + steering)
      steer = #members
      if steer > 0 then
        redis.call('ZREM', waiting, unpack(members))
      end
      free = math.min(free, anything - math.max(0, steer - steering))
    else
      free = anything
    end
    local popped = free > 0 and redis.call('ZPOPMIN', waiting, free) or {}
    for p = 1, #popped, 2 do
      members[#members + 1] = popped[p]
      if tonumber(popped[p + 1]) <= tonumber(ARGV[3]) then
        steer = steer + 1
      end
    end
  end
  if #members > 0 then
    local runs, taken, counted = {}, {}, {}
    for m = 1, #members do
      runs[m] = string.sub(members[m], string.find(members[m], ':', 1, true) + 1)
    end
    for r, data in ipairs(redis.call('HMGET', queue, unpack(runs))) do
      if data then
        answer[#answer + 1] = data
        taken[#taken + 1] = runs[r]
        leases[#leases + 1] = ARGV[1]
        leases[#leases + 1] = org .. '\t' .. host .. '\t' .. runs[r]
        if r > steer then
          counted[#counted + 1] = runs[r]
        else
          answer[2] = answer[2] + 1
        end
      end
    end
    if #taken > 0 then
      -- Whoever needs the data again gets it from the ledger.
      redis.call('HDEL', queue, unpack(taken))
    end
    if #counted > 0 then
      redis.call('SADD', running, unpack(counted))
      if rate >= 0 and redis.call('INCRBY', minute, #counted) == #counted then
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
