import {html, nothing} from '../core/lit.js';
import {get, inOrg} from '../core/api.js';
import {count, lasted, money, shortId} from '../core/format.js';
import {serverNow} from '../core/clock.js';
import {empty, pill, when} from '../ui/bits.js';
import {listPage} from '../ui/list-page.js';
import {Loading, moreButton} from '../ui/states.js';

export const sessionHref = s => `/sessions/${encodeURIComponent(s.agent)}/${s.run}/${s.session}`;

export const sessionColumns = () => [
  {key: 'state', label: 'State', width: 132, narrow: 120, cell: s => pill(s.state)},
  {key: 'agent', label: 'Agent', cls: 'name', cell: s => html`<a href=${sessionHref(s)}>${s.agentName}</a>`},
  {key: 'host', label: 'Host', width: 140, cls: 'name wide', cell: s => html`<a href=${`/hosts/${encodeURIComponent(s.host)}`}>${s.hostName}</a>`},
  {key: 'run', label: 'Run', width: 100, cls: 'name wide', cell: s => html`<a href=${sessionHref(s)} title=${s.run}>${shortId(s.run)}/${s.session}</a>`},
  {key: 'why', label: 'Ended', width: 92, cls: 'wide', cell: s => html`<span class="soft" title=${s.endedReason ?? ''}>${(s.endedReason ?? '').replaceAll('_', ' ')}</span>`},
  {key: 'model', label: 'Model', cls: 'wide', cell: s => html`<span class="tag">${s.model ?? '–'}</span>`},
  {key: 'lines', label: 'Lines', width: 70, cls: 'num wide', cell: s => count(s.lines)},
  {key: 'cost', label: 'Cost', width: 80, cls: 'num', cell: s => money(s.cost)},
  {key: 'lasted', label: 'Lasted', width: 112, cls: 'num wide', cell: s => lasted(s.startedAt, s.state === 'running' ? serverNow() : s.lastActive)},
  {key: 'active', label: 'Active', width: 104, cell: s => when(s.lastActive)},
];

const list = {
  sort: 'state',
  status: s => s.state,
  text: s => `${s.agentName}@${s.hostName} ${s.model ?? ''} ${s.run}`.toLowerCase(),
  keys: {
    state: s => (s.state === 'unreachable' ? '0' : s.endedReason ? '2' : '1') + String(1e15 - Date.parse(s.lastActive)),
    agent: s => s.agentName,
    host: s => s.hostName,
    run: s => s.run,
    why: s => s.endedReason,
    model: s => s.model,
    lines: s => s.lines,
    cost: s => s.cost,
    lasted: s => Date.parse(s.lastActive) - Date.parse(s.startedAt),
    active: s => s.lastActive,
  },
};

/** The newest sessions live; older ones page by page, below them. */
export const sessions = {
  path: '/sessions',
  title: 'Sessions',
  topics: ['sessions'],
  open(ctx) {
    const older = new Loading(ctx.invalidate);
    const rows = () => ctx.live.rows('sessions');
    const more = () => {
      const known = [...rows().values()];
      const last = older.value?.next ?? known.map(s => `${s.run}.${s.session}.${s.agent}`).sort()[0];
      older.run(async () => {
        const page = await get(inOrg('/view/history/sessions'), {before: last, host: ctx.query.host, agent: ctx.query.agent});
        rows().apply({put: page.rows, drop: []});
        return page;
      });
    };
    return listPage(ctx, {
      topic: 'sessions',
      noun: 'session',
      label: 'Sessions',
      search: 'Filter by agent, host or model',
      list,
      statuses: ['running', 'unreachable', 'ended'],
      always: ['running', 'ended'],
      rowClass: s => (s.state === 'unreachable' ? 'away' : ''),
      hostOf: s => s.host,
      keep: (s, query) => !query.agent || s.agent === query.agent,
      columns: sessionColumns,
      href: sessionHref,
      after: () => (rows().size >= 300 && older.value?.next !== null
        ? moreButton(older, 'Load older sessions', more) : nothing),
      none: empty('No agent has run yet.', html`Start one with <code>skep run</code>, or on the <a class="link" href="/agents">agents</a> page.`),
    });
  },
};
