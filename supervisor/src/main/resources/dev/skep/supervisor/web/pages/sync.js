import {html, nothing} from '../core/lit.js';
import {get, inOrg} from '../core/api.js';
import {serverNow} from '../core/clock.js';
import {count, span} from '../core/format.js';
import {empty, few, pill, when} from '../ui/bits.js';
import {listPage} from '../ui/list-page.js';
import {Loading} from '../ui/states.js';
import {hostName} from './nodes.js';
import {inFlight} from './sync.model.js';

const RANK = {away: 0, catching_up: 1, connected: 2};

export const sync = {
  path: '/sync',
  title: 'Sync',
  topics: ['links'],
  needs: 'links',
  open(ctx) {
    const aside = new Loading(ctx.invalidate);
    aside.run(() => get(inOrg('/view/history/quarantine')));
    return listPage(ctx, {
      topic: 'links',
      noun: 'link',
      label: 'Links',
      search: 'Filter by host or hub',
      list: {
        sort: 'state',
        status: l => l.state,
        text: l => `${hostName(ctx, l.peer)} ${l.peer} ${l.role}`.toLowerCase(),
        keys: {state: l => RANK[l.state] ?? 9, peer: l => hostName(ctx, l.peer), rows: l => l.lagRows, age: l => l.lagSeconds, pull: l => l.heardAt, flight: l => l.askedAt, aside: l => l.setAside, error: l => l.problem},
      },
      statuses: ['connected', 'catching_up', 'away'],
      always: ['connected', 'away'],
      rowClass: l => (l.state === 'away' ? 'away' : ''),
      columns: () => [
        {key: 'state', label: 'State', width: 130, cls: 'keep', cell: l => pill(l.state)},
        {key: 'peer', label: 'With', width: 210, narrow: 0, cls: 'name keep', cell: l => html`${hostName(ctx, l.peer)} <span class="soft">${l.role}</span>`},
        {key: 'rows', label: 'Rows behind', width: 104, narrow: 100, cls: 'num', cell: l => few(l.lagRows)},
        {key: 'age', label: 'Time behind', width: 104, cls: 'num wide', cell: l => (l.lagSeconds ? span(l.lagSeconds) : html`<span class="dim">${l.lagSeconds === 0 ? '0 s' : '–'}</span>`)},
        {key: 'flight', label: 'In flight', width: 104, cls: 'num wide', cell: l => (l.askedAt ? inFlight(l, serverNow()) : html`<span class="dim">${inFlight(l, serverNow())}</span>`)},
        {key: 'aside', label: 'Set aside', width: 90, cls: 'num wide', cell: l => (l.setAside ? html`<span class="warn">${count(l.setAside)}</span>` : few(l.setAside))},
        {key: 'pull', label: 'Last rows', width: 108, cls: 'wide', cell: l => when(l.heardAt)},
        {key: 'error', label: 'Error', cls: 'wide keep', cell: l => (l.problem ? html`<span class="bad" title=${l.problem}>${l.problem}</span>` : '')},
      ],
      after: () => (aside.value?.rows.length ? html`<section class="part"><h2>Set aside</h2><ul class="plain">${aside.value.rows.map(r => html`<li><span class="mono">${r.table} ${r.key}</span> <span class="soft">of ${hostName(ctx, r.host)}: ${r.reason}</span><span class="push">${when(r.at)}</span></li>`)}</ul></section>` : nothing),
      none: empty('There is no link.', html`A runner dials its hubs: set <code>HUB_URLS</code>, or run <code>skep enrol</code>.`),
    });
  },
};
