-- Answers per host the runs that hold its slots. ARGV: hosts
local slots = {}
for i, host in ipairs(ARGV) do
  slots[i] = redis.call('SMEMBERS', 'host:' .. host .. ':running')
end
return slots
