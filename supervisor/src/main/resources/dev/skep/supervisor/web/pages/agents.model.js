/** How agents are listed. Pure. */
const RANK = {failed: 0, awaiting_approval: 1, over_budget: 2, unreachable: 3, backing_off: 4, paused: 5, active: 6, waiting: 7, stopped: 8};

export const AGENT_STATUSES = ['active', 'waiting', 'awaiting_approval', 'over_budget', 'backing_off', 'paused', 'failed', 'unreachable', 'stopped'];

export const agentList = {
  sort: 'status',
  status: agent => agent.status,
  text: agent => `${agent.username}@${agent.hostName} ${agent.title ?? ''} ${agent.model ?? ''}`.toLowerCase(),
  keys: {
    status: agent => RANK[agent.status] ?? 9,
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
    default: return ['pause', 'stop'];
  }
}

/** What the seed says of a name that another host's agent had first. */
export const nameTaken = agent => `Username '${agent.username}' already exists. Please rename.`;
