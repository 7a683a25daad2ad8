/** A page that is one live list: search, counts that are filters, a table. */
import {html, live, nothing} from '../core/lit.js';
import {count, words} from '../core/format.js';
import {selectRows} from '../core/list.js';
import {Table} from './table.js';
import {empty} from './bits.js';
import {unloaded} from './states.js';
import {hostFilter} from './host-filter.js';

/**
 * @param {object} spec
 * @param {string} spec.topic
 * @param {string} spec.noun what a row is called
 * @param {import('../core/list.js').ListSpec} spec.list
 * @param {import('./table.js').Column[]} spec.columns
 * @param {string[]} spec.statuses the counts to show, in order, besides "all"
 * @param {(row: any) => string} [spec.href]
 * @param {import('./selection.js').Selection} [spec.selection] for rows that can be chosen
 * @param {(chosen: any[]) => any} [spec.forSelected] what can be done with them
 * @param {any} spec.none what to show when there is no row at all
 */
export function listPage(ctx, spec) {
  const table = new Table(ctx.invalidate);
  const rows = () => ctx.live.rows(spec.topic);
  const keep = row => (!ctx.query.host || !spec.hostOf || spec.hostOf(row) === ctx.query.host) && (!spec.keep || spec.keep(row, ctx.query));
  return {
    keys: [
      {keys: '/', label: 'Filter', group: 'List', run: () => document.querySelector('.bar input[type=search]')?.focus()},
      ...table.keys(spec.href),
      ...selectionKeys(spec.selection, table),
    ],
    view() {
      const source = rows();
      if (source.loaded && source.size === 0) return html`<div class="body">${spec.none}</div>`;
      const chosen = selectRows(source.values(), ctx.query, spec.list, keep);
      // A window of a long list cannot count what is outside of it.
      if (!ctx.query.q) Object.assign(chosen, spec.counted?.());
      // The filter is there before the rows are: what is typed into it at once is no shortcut.
      return html`${bar(ctx, spec, chosen, source.loaded)}
        ${source.loaded ? table.view({
    label: spec.label ?? spec.noun,
    columns: spec.selection ? [spec.selection.column(chosen.rows), ...spec.columns(ctx)] : spec.columns(ctx),
    rows: chosen.rows,
    href: spec.href,
    rowClass: spec.rowClass,
    sort: chosen.sort,
    descending: chosen.descending,
    onSort: patch => ctx.setQuery(patch),
    after: chosen.rows.length ? (spec.after?.() ?? '') : empty(`No ${spec.noun} matches.`, html`<button @click=${() => ctx.setQuery({q: '', status: '', host: ''})}>Clear the filter</button>`),
  }) : unloaded(ctx.live)}
        ${spec.selection?.bar(chosen.rows, spec.noun, spec.forSelected) ?? nothing}`;
    },
  };
}

const selectionKeys = (selection, table) => (selection ? [
  {keys: 'x', label: 'Choose row', group: 'List', run: () => table.current && selection.toggle(table.current.id)},
  {keys: 'escape', label: 'Choose none', group: 'List', run: () => selection.clear()},
] : []);

function bar(ctx, spec, chosen, loaded) {
  return html`<div class="bar">
    <input type="search" placeholder=${spec.search} aria-label=${spec.search} .value=${live(ctx.query.q ?? '')}
      @input=${e => ctx.setQuery({q: e.target.value}, true)}>
    ${spec.hostOf ? hostFilter(ctx) : nothing}
    ${loaded ? tallies(ctx, spec, chosen) : nothing}</div>`;
}

const tallies = (ctx, spec, chosen) => html`<div class="tally" role="group" aria-label="Filter by state">
      ${tally(ctx, '', chosen.total, 'all')}
      ${spec.statuses.filter(s => chosen.counts[s] || ctx.query.status === s || spec.always?.includes(s)).map(s => tally(ctx, s, chosen.counts[s] ?? 0, words(s)))}
    </div>${spec.extra?.(ctx, chosen) ?? nothing}`;

const tally = (ctx, status, n, label) => html`<button aria-pressed=${(ctx.query.status ?? '') === status ? 'true' : 'false'}
  @click=${() => ctx.setQuery({status})}><b>${count(n)}</b> ${label}</button>`;
