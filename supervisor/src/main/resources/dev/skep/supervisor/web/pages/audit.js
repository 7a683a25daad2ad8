import {html, live, nothing} from '../core/lit.js';
import {get, inOrg} from '../core/api.js';
import {words} from '../core/format.js';
import {empty, stamp, when} from '../ui/bits.js';
import {Loading, moreButton} from '../ui/states.js';
import {shortTable} from '../ui/table.js';
import {calledBy, labelOf} from '../ui/people.js';
import {csv, detailText, shortIds} from './audit.model.js';
import {hostName} from './nodes.js';

const MOST_EXPORTED = 100_000;
const FIELDS = ['actor', 'action', 'target'];

export const audit = {
  path: '/audit',
  title: 'Audit',
  topics: [],
  needs: 'audit',
  role: 'admin',
  open(ctx) {
    const data = new Loading(ctx.invalidate), out = new Loading(ctx.invalidate);
    let rows = [], next = null, asked = '', typed;
    const filter = () => ({
      actor: labelOf(ctx, ctx.query.actor),
      action: ctx.query.action?.trim().replaceAll(' ', '_'),
      target: labelOf(ctx, ctx.query.target),
    });
    const load = (more = false) => {
      asked = JSON.stringify(filter());
      data.run(async () => {
        const page = await get(inOrg('/view/history/audit'), {...filter(), before: more ? next : ''});
        rows = more ? rows.concat(page.rows) : page.rows;
        next = page.next;
        return page;
      });
    };
    load();
    const exportAll = () => out.run(async () => {
      let all = [], before = '';
      do {
        const page = await get(inOrg('/view/history/audit'), {...filter(), before, limit: 1000});
        all = all.concat(page.rows);
        before = page.next;
      } while (before && all.length < MOST_EXPORTED);
      const link = document.createElement('a');
      link.href = URL.createObjectURL(new Blob([csv(all)], {type: 'text/csv'}));
      link.download = 'audit.csv';
      link.click();
      setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
      return all.length;
    });
    const field = (name, label) => html`<input type="search" placeholder=${label} aria-label=${label} .value=${live(ctx.query[name] ?? '')}
      @input=${e => { clearTimeout(typed); const value = e.target.value; typed = setTimeout(() => ctx.setQuery({[name]: value}, true), 300); }}>`;
    return {
      keys: [{keys: '/', label: 'Filter', group: 'List', run: () => document.querySelector('.bar input')?.focus()}],
      actions: () => html`<button ?disabled=${out.busy} @click=${exportAll}>${out.busy ? 'Exporting…' : 'Export CSV'}</button>${out.problem ? html`<span class="problem" role="alert">${out.problem.message}</span>` : nothing}`,
      queryChanged: () => { if (asked !== JSON.stringify(filter())) load(); },
      view: () => {
        // A name means something only once the names are here.
        if (asked !== JSON.stringify(filter())) queueMicrotask(() => load());
        return html`<div class="bar narrow">${field('actor', 'Who, for example maria')}${field('action', 'What, for example job created')}${field('target', 'To what, for example a host')}</div>
        <div class="body">${data.show(() => (rows.length ? html`${table(ctx, rows)}
          ${next ? moreButton(data, 'Load older entries', () => load(true)) : nothing}`
    : nothingThere(ctx)), () => load())}</div>`;
      },
    };
  },
};

const nothingThere = ctx => (FIELDS.some(name => ctx.query[name])
  ? empty('No entry matches.', 'Names and actions must be whole, as they stand in the list.', html`<button @click=${() => ctx.setQuery({actor: '', action: '', target: ''})}>Clear the filter</button>`)
  : empty('Nothing was done yet.', 'Whoever signs in, creates a job or changes a host is written down here.'));

const table = (ctx, rows) => shortTable({
  label: 'Audit log',
  rows,
  columns: [
    {label: 'When', width: 110, narrow: 96, cell: e => when(e.at)},
    {label: 'Time', width: 190, cls: 'wide', cell: e => html`<span class="soft">${stamp(e.at)}</span>`},
    {label: 'Who', width: 110, narrow: 0, cls: 'name', cell: e => html`<a href=${`/audit?actor=${encodeURIComponent(calledBy(ctx, e.actor))}`} title=${e.actor}>${calledBy(ctx, e.actor)}</a>`},
    {label: 'What', width: 140, narrow: 118, cell: e => html`<a href=${`/audit?action=${encodeURIComponent(words(e.action))}`} title="Only this action">${words(e.action)}</a>`},
    {label: 'To what', width: 170, cls: 'name wide', cell: e => html`<a href=${`/audit?target=${encodeURIComponent(calledBy(ctx, e.target))}`} title=${e.target}>${shortIds(calledBy(ctx, e.target))}</a>`},
    {label: 'Detail', cls: 'wide', cell: e => html`<span class="soft" title=${e.detail}>${shortIds(detailText(e.detail), id => hostName(ctx, id))}</span>`},
    {label: 'From', width: 120, cls: 'name wide', cell: e => e.from},
  ],
});
