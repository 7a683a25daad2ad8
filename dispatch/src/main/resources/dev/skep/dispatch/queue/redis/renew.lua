-- Renews leases that have not run out. ARGV: lease end, then per run: org, host, run
-- Answers per run: 0 gone, 1 renewed, 2 to be cancelled
local answers = {}
for i = 2, #ARGV, 3 do
  local member = ARGV[i] .. '\t' .. ARGV[i + 1] .. '\t' .. ARGV[i + 2]
  local answer = 0
  if redis.call('ZSCORE', 'jobs:leases', member) then
    redis.call('ZADD', 'jobs:leases', 'XX', ARGV[1], member)
    answer = 1 + redis.call('SISMEMBER', 'jobs:cancels', ARGV[i + 2])
  end
  answers[#answers + 1] = answer
end
return answers
