/** Channels and messages in words. Pure. */

export const KINDS = {
  email: {title: 'E-mail', label: 'Address', type: 'email', hint: 'lena@example.org'},
  slack: {title: 'Slack', label: 'URL of an incoming webhook', type: 'url', hint: 'https://hooks.slack.com/services/…'},
  discord: {title: 'Discord', label: 'URL of a channel\u2019s webhook', type: 'url', hint: 'https://discord.com/api/webhooks/…'},
  generic: {title: 'Webhook', label: 'URL that takes signed messages', type: 'url', hint: 'https://pager.example.org/skep'},
  browser: {title: 'Browser', label: '', type: '', hint: ''},
};

/** What each kind is about, in a line below its title. */
export const ABOUT = {
  approval: 'a command or a tool call that only a person may allow',
  agent_failed: 'it cannot go on without you',
  agent_repeats: 'it did the same again and again and was paused',
  over_budget: 'it waits until its limit allows more',
  mail: 'from agents, to your name',
  host_offline: 'it sends no heartbeats',
  job_failed: 'after its last attempt',
};

const LABELS = {approval: 'Approval', agent_failed: 'Agent failed', agent_repeats: 'Agent repeats itself', over_budget: 'Over budget', mail: 'Mail', host_offline: 'Host offline', job_failed: 'Job failed', test: 'Test'};

/** "Approval, Mail". */
export const topicWords = topic => topic.split(',').map(t => LABELS[t] ?? t).join(', ');

/** The channels as columns: the browser first, since it is always offered, the others as they were added. */
export function columns(channels) {
  const browser = channels.find(c => c.kind === 'browser') ?? {id: '', kind: 'browser', name: 'browser', to: '', kinds: [], disabledReason: null};
  return [browser, ...channels.filter(c => c.kind !== 'browser')];
}

/** What stands below a channel's name. */
export const towards = channel => (channel.disabledReason ? `stopped: ${channel.disabledReason}` : channel.to);

/** The kinds of a channel after one was switched. */
export const switched = (kinds, kind) => (kinds.includes(kind) ? kinds.filter(k => k !== kind) : [...kinds, kind]);

/** How a message to a channel fared, in a sentence; what the other side said stays in its words. */
export function fared(message) {
  if (message.outcome === 'sent') {
    if (message.kind === 'browser') return 'It was shown.';
    if (message.kind === 'email') return `The mail server took it (${message.lastStatus}).`;
    return `It arrived: HTTP ${message.lastStatus}.`;
  }
  if (message.kind === 'browser') return 'No open page of yours showed it. Is it allowed in this browser?';
  return `It did not arrive: ${message.lastError ?? 'nobody answered'}${message.outcome.endsWith('trying again') ? '. It is tried again' : ''}.`;
}

/** The look of an outcome, by the names that pills know. */
export const stateOf = outcome => ({sent: 'delivered', queued: 'waiting', refused: 'failed', 'given up': 'given_up'})[outcome] ?? 'backing_off';
