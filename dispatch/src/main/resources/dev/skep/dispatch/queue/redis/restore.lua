-- Gives runs that the ledger knows as running their slot and lease back, where they have none.
-- ARGV: lease end, then per run: org, host, run, whether it is to be cancelled, whether it steers (1 or 0)
local restored = 0
for i = 2, #ARGV, 5 do
  if ARGV[i + 4] == '0' then
    redis.call('SADD', 'host:' .. ARGV[i + 1] .. ':running', ARGV[i + 2])
  end
  local member = ARGV[i] .. '\t' .. ARGV[i + 1] .. '\t' .. ARGV[i + 2]
  restored = restored + redis.call('ZADD', 'jobs:leases', 'NX', ARGV[1], member)
  if ARGV[i + 3] == '1' then
    redis.call('SADD', 'jobs:cancels', ARGV[i + 2])
  end
end
return restored
