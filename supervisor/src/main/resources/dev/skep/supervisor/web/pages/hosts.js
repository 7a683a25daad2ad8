import {html, nothing} from '../core/lit.js';
import {makePairingCode} from '../core/actions.js';
import {ask} from '../ui/dialog.js';
import {empty, labels, meter, pill, spark, when} from '../ui/bits.js';
import {listPage} from '../ui/list-page.js';
import {HOST_STATUSES, hostList, isThere} from './hosts.model.js';

const href = host => `/hosts/${encodeURIComponent(host.id)}`;

/** Without the program's name. */
export const version = h => (h.version ?? '–').replace(/^skep /, '');

/** When it last beat; the process that tells all this is there as long as it does. */
export const seen = h => (isThere(h) && !h.lastSeenAt ? html`<span title="It answers this page">now</span>` : when(h.lastSeenAt));

export const columns = () => [
  {key: 'status', label: 'Status', width: 116, narrow: 104, cls: 'keep', cell: h => pill(h.status)},
  {key: 'name', label: 'Host', cls: 'name keep', cell: h => html`<a href=${href(h)}>${h.name}</a>${h.kind === 'hub' ? html` <span class="soft">hub</span>` : nothing}`},
  {key: 'labels', label: 'Labels', width: 140, cls: 'wide', cell: h => labels(h.labels)},
  {key: 'cpu', label: 'CPU, last 2 min', width: 168, cls: 'wide', cell: h => spark(h.cpuHistory, isThere(h) && h.cpu !== null ? `${h.cpu}%` : '–', isThere(h) && h.cpu > 85)},
  {key: 'memory', label: 'Memory', width: 132, cls: 'wide', cell: h => meter(h.memory)},
  {key: 'disk', label: 'Disk', width: 132, cls: 'wide', cell: h => meter(h.disk)},
  {key: 'agents', label: 'Agents', width: 72, narrow: 62, cls: 'num', cell: h => h.agents},
  {key: 'seen', label: 'Last seen', width: 100, cls: 'keep', cell: seen},
  {key: 'version', label: 'Version', width: 88, cls: 'wide', cell: h => html`<span class="tag" title=${h.version ?? ''}>${version(h)}</span>`},
];

/** Makes a code and shows the exact command for the other machine. */
export const pair = (then = work => work) => ask({
  title: 'Add a host',
  text: 'A pairing code works once, for ten minutes. The next step shows the command to run on the other machine.',
  act: 'Make a code',
  run: then(makePairingCode),
  done: made => html`<p>Run this on the other machine:</p><pre>skep enrol ${location.origin} --code ${made.code}</pre>${forThisMachineOnly()}<p class="soft">The code is not shown again.</p>`,
});

/** The command names the address this page was opened by, which may be of no use elsewhere. */
const forThisMachineOnly = () => /^(localhost|127\..*|\[::1\])$/.test(location.hostname)
  ? html`<p class="soft">Only this machine reaches ${location.hostname}. Write the address that others reach this hub by; if it has none, start it with <code>--listen</code> or <code>--public-url</code>.</p>` : '';

const share = (ctx, chosen) => html`<div class="share" aria-hidden="true">${[['online', 'ok'], ['degraded', 'warn'], ['offline', 'bad'], ['unknown', 'faint']]
  .filter(([status]) => chosen.counts[status]).map(([status, colour]) => html`<i .style=${`flex:${chosen.counts[status]};background:var(--${colour})`}></i>`)}</div>`;

export const hosts = {
  path: '/hosts',
  title: 'Hosts',
  topics: ['hosts'],
  open(ctx) {
    const page = listPage(ctx, {
      topic: 'hosts',
      noun: 'host',
      label: 'Hosts',
      search: 'Filter by name or label',
      list: hostList,
      statuses: HOST_STATUSES,
      always: ['online', 'degraded', 'offline'],
      columns,
      href,
      rowClass: h => (isThere(h) ? '' : 'away'),
      extra: share,
      none: empty('There is no host yet.', html`Run <code>skep hosts pair</code> here, and the command it prints on the other machine.`),
    });
    page.actions = () => (ctx.can('admin') && ctx.has('settings') ? html`<button @click=${() => pair()}>Add a host</button>` : '');
    return page;
  },
};
