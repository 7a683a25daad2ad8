-- Frees the slots of runs that were taken and are not running.
-- ARGV: name of the group whose runs these are, or '', then per run: host, run
-- Answers 0 if another hub looks after that group
if ARGV[1] ~= '' and redis.call('HDEL', 'jobs:taken', ARGV[1]) == 0 then
  return 0
end
local running = {}
for i = 2, #ARGV, 2 do
  local host = ARGV[i]
  running[host] = running[host] or {}
  table.insert(running[host], ARGV[i + 1])
end
for host, of in pairs(running) do
  redis.call('SREM', 'host:' .. host .. ':running', unpack(of))
end
return 1
