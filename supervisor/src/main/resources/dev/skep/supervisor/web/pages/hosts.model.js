/** How hosts are listed. Pure. */
const RANK = {offline: 0, degraded: 1, unknown: 2, online: 3};

export const hostList = {
  sort: 'status',
  // A hub is among the hosts and counted apart: it does no work.
  status: host => (host.kind === 'hub' ? 'hub' : host.status),
  text: host => `${host.name} ${Object.entries(host.labels).map(([k, v]) => `${v} ${k}:${v}`).join(' ')} ${host.version ?? ''}`.toLowerCase(),
  keys: {
    status: host => RANK[host.status] ?? 9,
    name: host => host.name,
    labels: host => Object.values(host.labels).join(' '),
    cpu: host => host.cpu,
    memory: host => host.memory,
    disk: host => host.disk,
    agents: host => host.agents,
    seen: host => host.lastSeenAt,
    version: host => host.version,
  },
};

export const HOST_STATUSES = ['online', 'degraded', 'offline', 'unknown', 'hub'];

/** Whether what the host last said about itself is still true. */
export const isThere = host => host.status === 'online' || host.status === 'degraded';

/** "env=prod, region=eu" → {env: 'prod', region: 'eu'}; throws with the part that is wrong. */
export function parseLabels(text) {
  const labels = {};
  for (const part of text.split(/[,\n]/).map(p => p.trim()).filter(Boolean)) {
    const [, key, value] = /^([\w.-]+)\s*[=:]\s*(\S+)$/.exec(part) ?? [];
    if (!key) throw new Error(`"${part}" is no label; write key=value, separated by commas.`);
    labels[key] = value;
  }
  return labels;
}

export const formatLabels = labels => Object.entries(labels).map(([k, v]) => `${k}=${v}`).join(', ');
