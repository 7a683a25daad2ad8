/** How agents are listed. Pure. */
const RANK = {failed: 0, awaiting_approval: 1, over_budget: 2, unreachable: 3, backing_off: 4, paused: 5, held: 6, active: 7, waiting: 8, stopped: 9};

export const AGENT_STATUSES = ['active', 'waiting', 'awaiting_approval', 'over_budget', 'backing_off', 'paused', 'held', 'failed', 'unreachable', 'stopped'];

export const agentList = {
  sort: 'status',
  status: agent => agent.status,
  text: agent => `${agent.username}@${agent.hostName} ${agent.title ?? ''} ${agent.model ?? ''}`.toLowerCase(),
  keys: {
    status: agent => RANK[agent.status] ?? 10,
    name: agent => agent.username,
    host: agent => agent.hostName,
    model: agent => agent.model,
    unread: agent => agent.unread,
    spent: agent => agent.spentToday,
    left: agent => agent.budgetLeft,
    active: agent => agent.lastActive,
  },
};

export const ACTIONS = ['start', 'stop', 'pause', 'resume'];

/** What can be asked of an agent in this state, in the order to offer it. */
export function possibleActions(agent) {
  if (agent.removed || agent.status === 'unreachable') return [];
  switch (agent.status) {
    case 'stopped': case 'failed': return ['start'];
    case 'paused': return ['resume', 'stop'];
    case 'held': return ['pause', 'stop'];
    default: return ['pause', 'stop'];
  }
}

/** What the seed says of a name that another host's agent had first. */
export const nameTaken = agent => `Username '${agent.username}' already exists. Please rename.`;

/** What came of asking many: how many of how many did it. */
export function bulkNote(answer) {
  const rest = [[answer.queued, 'waiting for their hosts'], [answer.refused, 'refused']].filter(([n]) => n).map(([n, text]) => `, ${n} ${text}`).join('');
  return `Done by ${answer.done} of ${answer.asked}${rest}`;
}

/** Those that did not, by name, with the reason. */
export const bulkRefusals = answer => answer.results.filter(r => r.outcome === 'refused')
  .map(r => ({name: `${r.username}@${r.hostName}`, reason: r.reason}));
