/** Alerts in words. Pure. */
const KINDS = {
  AGENT_OFFLINE: 'Host offline', AGENT_ONLINE: 'Host back', JOB_FAILED: 'Job failed', BUDGET_EXHAUSTED: 'Budget used up',
  SYNC_STALLED: 'Sync stalled', HUB_CONNECTIVITY: 'Many hosts silent', TEST: 'Test',
};

/** What a kind is called; the wire's own name says "agent" where it means a host. */
export const kindWords = kind => KINDS[kind] ?? kind.toLowerCase().replaceAll('_', ' ');

/** Where to look at what an alert is about, "host:01J…"; nowhere if it is about nothing with a page. */
export function leadsTo(subject) {
  const at = (subject ?? '').indexOf(':'), kind = (subject ?? '').slice(0, Math.max(0, at)), id = encodeURIComponent((subject ?? '').slice(at + 1));
  return {host: `/hosts/${id}`, job: `/jobs/${id}`, agent: `/agents/${id}`}[kind] ?? '';
}
