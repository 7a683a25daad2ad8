-- Forgets runs that were taken and are over. ARGV: per run: org, host, run
local running, leases, runs = {}, {}, {}
for i = 1, #ARGV, 3 do
  local org, host, run = ARGV[i], ARGV[i + 1], ARGV[i + 2]
  running[host] = running[host] or {}
  table.insert(running[host], run)
  leases[#leases + 1] = org .. '\t' .. host .. '\t' .. run
  runs[#runs + 1] = run
end
for host, of in pairs(running) do
  redis.call('SREM', 'host:' .. host .. ':running', unpack(of))
end
redis.call('ZREM', 'jobs:leases', unpack(leases))
if redis.call('EXISTS', 'jobs:cancels') == 1 then
  redis.call('SREM', 'jobs:cancels', unpack(runs))
end
return #runs
