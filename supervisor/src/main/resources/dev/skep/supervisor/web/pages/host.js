import {html, nothing} from '../core/lit.js';
import {get, inOrg} from '../core/api.js';
import {changeHost, revokeHost, rotateHostKey} from '../core/actions.js';
import {count, lasted, money, plural, words} from '../core/format.js';
import {serverNow} from '../core/clock.js';
import {Acts} from '../ui/act.js';
import {ask} from '../ui/dialog.js';
import {facts, few, labels, meter, pill, spark, stamp, when} from '../ui/bits.js';
import {Loading} from '../ui/states.js';
import {shortTable} from '../ui/table.js';
import {adopt} from './adopt.js';
import {formatLabels, isThere, parseLabels} from './hosts.model.js';
import {hosts, seen, version} from './hosts.js';
import {jobColumns} from './jobs.js';
import {nodeColumns} from './nodes.js';
import {serverColumns} from './servers.js';

export const host = {
  path: '/hosts/:host',
  title: 'Host',
  parent: hosts,
  topics: ['hosts', 'agents', 'servers', 'jobs', 'nodes', 'connections'],
  open(ctx) {
    const detail = new Loading(ctx.invalidate), acts = new Acts(ctx);
    const load = () => detail.run(() => get(inOrg(`/view/hosts/${encodeURIComponent(ctx.params.host)}`)));
    load();
    const current = () => ctx.live.rows('hosts').get(ctx.params.host) ?? detail.value?.host;
    const agentsHere = () => (ctx.live.rows('agents').loaded
      ? [...ctx.live.rows('agents').values()].filter(a => a.host === ctx.params.host && !a.removed)
      : detail.value.agents);
    return {
      title: () => (current() ? html`<span class="mono">${current().name}</span>` : 'Host'),
      actions: () => (current() && ctx.can('operator') ? hostActions(ctx, acts, current(), load) : nothing),
      view: () => html`<div class="body">${detail.show(d => body(ctx, current(), agentsHere(), asOfNow(ctx, d)), load)}</div>`,
    };
  },
};

/** What was asked for once, each row as the stream tells it now, and those that came since. */
function asOfNow(ctx, d) {
  const id = ctx.params.host;
  const live = topic => [...ctx.live.rows(topic).values()].filter(row => row.host === id);
  const now = (topic, asked) => [...new Map([...asked, ...live(topic)].map(row => [row.id, row])).values()];
  const complete = (topic, asked) => (ctx.live.rows(topic).loaded ? live(topic) : asked);
  const newestFirst = rows => rows.sort((a, b) => (a.id < b.id ? 1 : -1));
  return {
    ...d,
    servers: complete('servers', d.servers),
    nodes: complete('nodes', d.nodes),
    jobs: newestFirst(now('jobs', d.jobs)),
    connections: newestFirst(now('connections', d.connections)),
  };
}

function hostActions(ctx, acts, h, reload) {
  const admin = ctx.can('admin') && ctx.has('settings');
  // A hub has no key at itself, and takes no jobs.
  if (h.kind === 'hub') return nothing;
  return html`${ctx.has('jobs') ? html`<button @click=${() => edit(h, reload)}>Edit</button>` : nothing}
    ${admin ? html`<button @click=${() => rotate(h, acts)}>Rotate key</button><button class="danger" @click=${() => revoke(h, acts)}>Revoke</button>` : nothing}
    ${!isThere(h) && h.agents && ctx.has('settings') && ctx.can('admin') ? html`<button @click=${() => adopt(ctx, [...ctx.live.rows('agents').values()].filter(a => a.host === h.id && !a.removed && a.kind === 'agent'), h, h.name)}>Adopt agents</button>` : nothing}
    ${acts.say('rotate', 'revoke')}`;
}

/** Asks for what people may change about a host. */
export const edit = (h, reload) => ask({
  title: `Edit ${h.name}`,
  act: 'Save',
  fields: [
    {name: 'name', label: 'Name', value: h.name},
    {name: 'labels', label: 'Labels, as key=value, separated by commas', value: formatLabels(h.labels), required: false},
    {name: 'maxConcurrent', label: 'Jobs at the same time', type: 'number', value: String(h.maxConcurrent ?? 1)},
    {name: 'jobsPerMinute', label: 'Jobs a minute; empty for no limit', type: 'number', value: h.jobsPerMinute === null ? '' : String(h.jobsPerMinute), required: false},
  ],
  run: async v => {
    await changeHost(h.id, {
      name: v.name,
      labels: parseLabels(v.labels),
      maxConcurrent: Number(v.maxConcurrent),
      jobsPerMinute: v.jobsPerMinute ? Number(v.jobsPerMinute) : null,
    });
    reload();
  },
});

const rotate = (h, acts) => ask({
  title: `Rotate the key of ${h.name}`,
  text: 'The host makes a new key when it next connects. The old one works until then.',
  act: 'Rotate',
  run: async () => {
    await rotateHostKey(h.id);
    acts.follow('rotate', {note: 'It gets a new key when it next connects'});
  },
});

const revoke = (h, acts) => ask({
  title: `Revoke ${h.name}`,
  text: 'Its connection closes at once and it cannot come back without a new pairing code. What it stored stays.',
  act: 'Revoke',
  danger: true,
  confirm: h.name,
  run: async () => {
    await revokeHost(h.id);
    acts.follow('revoke', {note: 'Revoked; it is no longer let in'});
  },
});

function body(ctx, h, agentsHere, d) {
  return html`<section class="top">${facts([
    ['Status', html`${pill(h.status)} ${h.reason ? html`<span class="soft">${h.reason}</span>` : nothing}`],
    ['Last seen', seen(h)],
    // A hub does not measure the machine it runs on; a runner beside it does.
    ...(h.kind === 'hub' ? [] : [
      ['CPU', isThere(h) && h.cpu !== null ? spark(h.cpuHistory, `${h.cpu}%`, h.cpu > 85) : html`<span class="dim">–</span>`],
      ['Memory', meter(h.memory)],
      ['Disk', meter(h.disk)],
    ]),
    ['Labels', Object.keys(h.labels).length ? labels(h.labels) : html`<span class="dim">none</span>`],
    ['Version', version(h)],
    h.kind === 'hub' ? null : ['Limits', `${plural(h.maxConcurrent ?? 1, 'job')} at a time${h.jobsPerMinute ? `, ${count(h.jobsPerMinute)} a minute` : ''}`],
    h.kind === 'hub' || !h.allows ? null : ['Allows this hub', h.allows.join(', ') || 'nothing'],
    ['Id', html`<span class="mono">${h.id}</span>`],
  ])}</section>
  ${h.kind === 'hub' ? html`<section class="part"><p class="soft">A hub joins hosts and runs no agents, servers or jobs of its own; how it stands with each host is on <a class="link" href="/sync">Sync</a>.</p></section>${nodesHere(ctx, h, d)}` : work(ctx, h, agentsHere, d)}`;
}

/** What the host is used for. */
function work(ctx, h, agentsHere, d) {
  return html`${part('Agents', agentsHere.filter(a => a.kind === 'agent'), rows => shortTable({
    label: 'Agents of this host',
    rows,
    href: a => `/agents/${encodeURIComponent(a.id)}`,
    columns: [
      {label: 'Status', width: 160, cell: a => pill(a.status)},
      {label: 'Agent', cls: 'name', cell: a => html`<a href=${`/agents/${encodeURIComponent(a.id)}`}>${a.username}</a>`},
      {label: 'Model', width: 200, cls: 'wide', cell: a => a.model ?? '–'},
      {label: 'Unread', width: 80, cls: 'num wide', cell: a => few(a.unread)},
      {label: 'Today', width: 90, cls: 'num', cell: a => money(a.spentToday)},
      {label: 'Active', width: 110, cls: 'wide', cell: a => when(a.lastActive)},
    ],
  }), 'No agent lives here. Put a YAML file into its agents folder, or run skep agents new.')}
  ${ctx.has('servers') ? part('Servers', d.servers, rows => shortTable({label: 'Servers of this host', rows, columns: serverColumns().filter(c => c.key !== 'host')}), 'No server is managed on this host.') : nothing}
  ${ctx.has('jobs') ? part('Recent jobs', d.jobs.slice(0, 10), rows => shortTable({label: 'Recent jobs of this host', rows, href: j => `/jobs/${encodeURIComponent(j.id)}`, columns: jobColumns(ctx).filter(c => c.key !== 'host')}), 'Nothing was run here yet.', `/jobs?host=${encodeURIComponent(h.id)}`) : nothing}
  ${nodesHere(ctx, h, d)}
  ${ctx.has('links') ? part('Connections', d.connections.slice(0, 20), rows => shortTable({
    label: 'When this host was connected',
    rows,
    columns: [
      {label: 'State', width: 120, narrow: 104, cell: c => pill(c.state, c.state === 'unknown' ? 'end not seen' : words(c.state))},
      {label: 'Opened', width: 186, narrow: 0, cell: c => html`<span class="soft">${stamp(c.openedAt)}</span>`},
      {label: 'Closed', width: 186, cls: 'wide', cell: c => html`<span class="soft">${c.closedAt ? stamp(c.closedAt) : '–'}</span>`},
      {label: 'Lasted', width: 110, narrow: 90, cls: 'num', cell: c => (c.state === 'unknown' ? '–' : lasted(c.openedAt, c.closedAt ?? serverNow()))},
      {label: 'From', width: 116, cls: 'name wide', cell: c => c.address},
      {label: 'To', width: 170, cls: 'name wide', cell: c => html`<span title=${c.hub}>${c.hub.replace(/^https?:\/\//, '') || 'this hub'}</span>`},
      {label: 'Why it ended', cls: 'wide', cell: c => html`<span class="soft" title=${c.reason ?? ''}>${c.reason ?? ''}</span>`},
    ],
  }), 'It has not been connected to this hub.') : nothing}`;
}

const nodesHere = (ctx, h, d) => (ctx.has('nodes')
  ? part('Nodes', d.nodes, rows => shortTable({label: 'Nodes of this host', rows, href: n => `/nodes/${encodeURIComponent(n.host)}/${encodeURIComponent(n.node)}`, columns: nodeColumns(ctx).filter(c => c.key !== 'host')}), 'No node has registered at this host.', `/nodes?host=${encodeURIComponent(h.id)}`)
  : nothing);

/** A titled part of a detail page. */
export const part = (title, rows, table, none, all) => html`<section class="part"><h2>${title}${all && rows.length ? html` <a class="link" href=${all}>all</a>` : nothing}</h2>
  ${rows.length ? table(rows) : html`<p class="soft">${none}</p>`}</section>`;

