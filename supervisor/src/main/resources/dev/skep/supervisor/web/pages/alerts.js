import {html, nothing} from '../core/lit.js';
import {get, inOrg} from '../core/api.js';
import {lasted} from '../core/format.js';
import {empty, pill, when} from '../ui/bits.js';
import {kindWords, leadsTo} from './alerts.model.js';
import {listPage} from '../ui/list-page.js';
import {Loading, moreButton} from '../ui/states.js';
import {shortTable} from '../ui/table.js';

const state = a => (a.resolvedAt ? 'resolved' : 'open');

export const alerts = {
  path: '/alerts',
  title: 'Alerts',
  topics: ['alerts', 'deliveries'],
  needs: 'alerts',
  open(ctx) {
    const older = new Loading(ctx.invalidate);
    const rows = () => ctx.live.rows('alerts'), deliveries = () => ctx.live.rows('deliveries');
    const more = () => older.run(async () => {
      const before = older.value?.next ?? [...rows().values()].map(a => a.id).sort()[0];
      const page = await get(inOrg('/view/history/alerts'), {before});
      rows().apply({put: page.rows, drop: []});
      return page;
    });
    return listPage(ctx, {
      topic: 'alerts',
      noun: 'alert',
      label: 'Alerts',
      search: 'Filter by kind or text',
      list: {
        sort: 'state',
        status: state,
        text: a => `${a.kind} ${kindWords(a.kind)} ${a.message}`.toLowerCase(),
        keys: {state: a => (a.resolvedAt ? '1' : '0') + String(1e15 - Date.parse(a.raisedAt)), kind: a => a.kind, message: a => a.message, raised: a => a.raisedAt, open: a => a.resolvedAt},
      },
      statuses: ['open', 'resolved'],
      always: ['open', 'resolved'],
      columns: () => [
        {key: 'state', label: 'State', width: 110, narrow: 96, cell: a => pill(state(a))},
        {key: 'kind', label: 'Kind', width: 160, cls: 'wide', cell: a => html`<span title=${a.kind}>${kindWords(a.kind)}</span>`},
        {key: 'message', label: 'What', cls: 'two', cell: a => (leadsTo(a.subject) ? html`<a href=${leadsTo(a.subject)} title=${a.message}>${a.message}</a>` : html`<span title=${a.message}>${a.message}</span>`)},
        {key: 'raised', label: 'Raised', width: 110, cell: a => when(a.raisedAt)},
        {key: 'open', label: 'Lasted', width: 120, cls: 'num wide', cell: a => (a.resolvedAt === a.raisedAt ? '–' : a.resolvedAt ? lasted(a.raisedAt, a.resolvedAt) : html`<span class="bad">still open</span>`)},
      ],
      after: () => html`${rows().size >= 300 && older.value?.next !== null ? moreButton(older, 'Load older alerts', more) : nothing}
        ${(deliveries().loaded ? html`<section class="part"><h2>Deliveries</h2>${deliveries().size ? shortTable({
        label: 'Deliveries to webhooks',
        rows: [...deliveries().values()].sort((a, b) => (a.id < b.id ? 1 : -1)),
        columns: [
          {label: 'State', width: 116, cell: d => pill(d.state)},
          {label: 'To', width: 180, narrow: 0, cls: 'name', cell: d => d.webhook},
          {label: 'About', width: 180, cls: 'wide', cell: d => html`<span title=${d.topic}>${kindWords(d.topic)}</span>`},
          {label: 'Tries', width: 70, narrow: 50, cls: 'num', cell: d => d.tries},
          {label: 'Answer', cls: 'wide', cell: d => html`<span class=${d.lastError ? 'bad' : 'soft'}>${d.lastError ?? (d.lastStatus ? `HTTP ${d.lastStatus}` : '')}</span>`},
          {label: 'Created', width: 110, cell: d => when(d.createdAt)},
        ],
      }) : html`<p class="soft">No alerts are sent yet. Add a webhook in <a class="link" href="/settings">settings</a>.</p>`}</section>` : nothing)}`,
      none: empty('Nothing is wrong, and nothing was.', 'Hosts that go offline, failed jobs, used-up budgets and stalled links appear here.'),
    });
  },
};
