-- Frees the slots of runs that their hosts say are over.
-- Then takes the next runs of each host that its limits allow: highest priority, then oldest job. Runs that steer
-- have the lowest scores, and no limit holds for them.
-- What was taken is noted until the ledger has it: as one entry for the whole group, which goes with a later turn.
-- ARGV: one JSON array, which both sides make and take apart more cheaply than an argument for each of many hundred:
--   name of this group, when others may look after it (ms), minute, highest score of runs that steer,
--   names of groups that are recorded, then per host an array:
--   org, host, cap, per minute (-1: any), how many of anything and how many that steer it takes, runs that are over
-- Answers lines, in one text for the same reason: per host 'free', 'cap' or 'rate', how
--   many runs and how many of them steer, then the data of each, those first
if redis.call('EXISTS', 'jobs:generation') == 0 then
  return redis.error_reply('SKEPEMPTY this Redis has lost its queues')
end
local asked = cjson.decode(ARGV[1])
local lines, noted = {}, {asked[2]}
local highest = asked[4]
if #asked[5] > 0 then
  redis.call('HDEL', 'jobs:taken', unpack(asked[5]))
end
for i = 6, #asked do
  local org, host, cap, rate, anything, steering, over = unpack(asked[i])
  local queue = 'jobs:' .. org
  local waiting = queue .. ':' .. host
  local running = 'host:' .. host .. ':running'
  if #over > 0 then
    redis.call('SREM', running, unpack(over))
  end
  local why, steers = 'free', 0
  local head = #lines + 1
  lines[head] = ''
  local minute
  local runs, steer = {}, 0
  if anything + steering > 0 then
    local free = cap - redis.call('SCARD', running)
    if free <= 0 then
      why = 'cap'
    elseif rate >= 0 then
      minute = 'host:' .. host .. ':jobs_minute:' .. asked[3]
      free = math.min(free, rate - tonumber(redis.call('GET', minute) or '0'))
      if free <= 0 then
        why = 'rate'
      end
    end
    if steering > 0 or free < anything then
      runs = redis.call('ZRANGEBYSCORE', waiting, '-inf', highest, 'LIMIT', 0, anything + steering)
      steer = #runs
      if steer > 0 then
        redis.call('ZREM', waiting, unpack(runs))
      end
      free = math.min(free, anything - math.max(0, steer - steering))
    else
      free = anything
    end
    local popped = free > 0 and redis.call('ZPOPMIN', waiting, free) or {}
    for p = 1, #popped, 2 do
      runs[#runs + 1] = popped[p]
      if tonumber(popped[p + 1]) <= highest then
        steer = steer + 1
      end
    end
  end
  if #runs > 0 then
    local counted = {}
    for r, data in ipairs(redis.call('HMGET', queue, unpack(runs))) do
      if data then
        lines[#lines + 1] = data
        noted[#noted + 1] = runs[r]
        if r > steer then
          counted[#counted + 1] = runs[r]
        else
          steers = steers + 1
        end
      end
    end
    -- Whoever needs the data again gets it from the ledger.
    redis.call('HDEL', queue, unpack(runs))
    if #counted > 0 then
      redis.call('SADD', running, unpack(counted))
      if minute and redis.call('INCRBY', minute, #counted) == #counted then
        redis.call('EXPIRE', minute, 120)
      end
    end
  end
  lines[head] = why .. ' ' .. (#lines - head) .. ' ' .. steers
end
if #noted > 1 then
  redis.call('HSET', 'jobs:taken', asked[1], table.concat(noted, ' '))
end
return table.concat(lines, '\n')
