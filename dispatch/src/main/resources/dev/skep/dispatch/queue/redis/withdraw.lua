-- Takes a run that waits out of its queue. ARGV: org, host, run
local queue = 'jobs:' .. ARGV[1]
redis.call('ZREM', queue .. ':' .. ARGV[2], ARGV[3])
redis.call('HDEL', queue, ARGV[3])
return 1
