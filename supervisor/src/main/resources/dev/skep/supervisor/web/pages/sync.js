import {html, nothing} from '../core/lit.js';
import {serverNow} from '../core/clock.js';
import {count, exact, words} from '../core/format.js';
import {empty, few, pill, when} from '../ui/bits.js';
import {listPage} from '../ui/list-page.js';
import {hostName} from './nodes.js';
import {behind, inFlight, rowsBehind, stuck} from './sync.model.js';

const RANK = {away: 0, catching_up: 1, unknown: 2, connected: 3};
const hint = (label, words) => html`<span title=${words}>${label}</span>`;
const ROWS = 'What a host wrote and the hub did not confirm, as the host last told it; of one that is not there nobody knows. On a runner as it knows itself, at most so many while there is no link';
const TIME = 'On a hub since it has known of rows it does not have; what a host wrote while it was away counts from its return. On a runner since the oldest of those rows was written';

function rowsCell(link) {
  const rows = rowsBehind(link, serverNow());
  return typeof rows === 'string' ? html`<span title=${link.unknownSince ? `unknown since ${exact(link.unknownSince)}` : nothing}>${rows}</span>` : few(rows);
}

function flightCell(link) {
  const still = stuck(link, serverNow());
  if (still) return html`<span class="warn" title=${inFlight(link, serverNow())}>${still}</span>`;
  return link.askedAt ? inFlight(link, serverNow()) : html`<span class="dim">${inFlight(link, serverNow())}</span>`;
}

export const sync = {
  path: '/sync',
  title: 'Sync',
  topics: ['links', 'quarantine'],
  needs: 'links',
  open(ctx) {
    const aside = () => [...ctx.live.rows('quarantine').values()].sort((a, b) => (a.at < b.at ? 1 : -1));
    return listPage(ctx, {
      topic: 'links',
      noun: 'link',
      label: 'Links',
      search: 'Filter by host or hub',
      list: {
        sort: 'state',
        status: l => l.state,
        text: l => `${hostName(ctx, l.peer)} ${l.peer} ${l.role}`.toLowerCase(),
        keys: {state: l => RANK[l.state] ?? 9, peer: l => hostName(ctx, l.peer), rows: l => l.lagRows, age: l => (l.behindSince ? -Date.parse(l.behindSince) : null), pull: l => l.heardAt, flight: l => l.askedAt, aside: l => l.setAside, error: l => l.problem},
      },
      statuses: ['connected', 'catching_up', 'away', 'unknown'],
      always: ctx.has('settings') || ctx.has('controls') ? ['connected', 'away'] : [],
      rowClass: l => (l.state === 'away' ? 'away' : ''),
      columns: () => [
        {key: 'state', label: 'State', width: 160, narrow: 130, cls: 'keep', cell: l => pill(l.state, l.state === 'unknown' ? 'unknown from here' : words(l.state))},
        {key: 'peer', label: 'With', width: 190, narrow: 0, cls: 'name keep', cell: l => html`${hostName(ctx, l.peer)} <span class="soft only-wide">${l.role}</span>`},
        {key: 'rows', label: hint('Rows behind', ROWS), width: 160, narrow: 136, cls: 'num', cell: l => rowsCell(l)},
        {key: 'age', label: hint('Time behind', TIME), width: 104, cls: 'num wide', cell: l => (l.behindSince && l.state !== 'away' ? html`<span title=${exact(l.behindSince)}>${behind(l, serverNow())}</span>` : html`<span class="dim">${behind(l, serverNow())}</span>`)},
        {key: 'flight', label: 'In flight', width: 170, cls: 'num wide', cell: l => flightCell(l)},
        {key: 'aside', label: 'Set aside', width: 90, cls: 'num wide', cell: l => (l.setAside ? html`<span class="warn">${count(l.setAside)}</span>` : few(l.setAside))},
        {key: 'pull', label: 'Last rows', width: 108, cls: 'wide', cell: l => when(l.heardAt)},
        {key: 'error', label: 'Error', cls: 'wide keep', cell: l => (l.problem ? html`<span class="bad" title=${l.problem}>${l.problem}</span>` : '')},
      ],
      after: () => (aside().length ? html`<section class="part"><h2>Set aside</h2><ul class="plain">${aside().map(r => html`<li><span class="mono">${r.table} ${r.key}</span> <span class="soft">of ${hostName(ctx, r.host)}: ${r.reason}</span><span class="push">${when(r.at)}</span></li>`)}</ul></section>` : nothing),
      none: empty('There is no link.', html`A runner dials its hubs: set <code>HUB_URLS</code>, or run <code>skep enrol</code>.`),
    });
  },
};
