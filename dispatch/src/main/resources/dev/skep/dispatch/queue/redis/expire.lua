-- Ends leases that ran out; their hosts' slots stay taken until the ledger knows. ARGV: now, limit
local ended = redis.call('ZRANGEBYSCORE', 'jobs:leases', '-inf', ARGV[1], 'LIMIT', 0, ARGV[2])
if #ended > 0 then
  redis.call('ZREM', 'jobs:leases', unpack(ended))
end
return ended
