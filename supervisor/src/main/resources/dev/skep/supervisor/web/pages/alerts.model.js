/** Alerts in words. Pure. */
const KINDS = {
  AGENT_OFFLINE: 'Host offline', AGENT_ONLINE: 'Host back', JOB_FAILED: 'Job failed', BUDGET_EXHAUSTED: 'Budget used up', APPROVAL_WAITING: 'Approval waits', AGENT_FAILED: 'Agent failed', AGENT_REPEATS: 'Agent repeats itself',
  SYNC_STALLED: 'Sync stalled', RETENTION_BEHIND: 'Retention', HUB_CONNECTIVITY: 'Many hosts silent', TEST: 'Test',
};

/** Events that a webhook can choose beside them. */
const EVENTS = {
  'job.created': 'Job created', 'job_run.started': 'Run started', 'job_run.done': 'Run over', 'host.online': 'Host online', 'host.degraded': 'Host degraded',
  'host.offline': 'Host went offline', 'host.enrolled': 'Host joined', 'host.revoked': 'Host revoked',
};

/** What a webhook can be told of, as choices: alerts, and events. */
export const alertChoices = Object.entries(KINDS).filter(([kind]) => kind !== 'TEST');
export const eventChoices = Object.entries(EVENTS);

/** What a webhook is told of: those it chose, or every alert. */
export const aboutWords = topics => topics.split(',').filter(Boolean).map(t => kindWords(t).toLowerCase()).join(', ') || 'all alerts';

/** What a kind is called; the wire's own name says "agent" where it means a host. */
export const kindWords = kind => KINDS[kind] ?? EVENTS[kind] ?? kind.toLowerCase().replaceAll('_', ' ');

/** Where to look at what an alert is about, "host:01J…"; nowhere if it is about nothing with a page. */
export function leadsTo(subject) {
  const at = (subject ?? '').indexOf(':'), kind = (subject ?? '').slice(0, Math.max(0, at)), id = encodeURIComponent((subject ?? '').slice(at + 1));
  return {host: `/hosts/${id}`, job: `/jobs/${id}`, agent: `/agents/${id}`, approval: `/approvals/${id}`}[kind] ?? '';
}
