/** A table that draws only the rows in sight. Order freezes while the pointer is over it. */
import {html, nothing, repeat} from '../core/lit.js';
import {inFrozenOrder, visibleRange} from '../core/list.js';
import {isNarrow, pageWidth} from '../core/screen.js';
import {fitting, narrowed} from './columns.model.js';

/** The columns there is room for, each as wide as it should be. */
const shown = columns => (isNarrow() ? narrowed(columns) : fitting(columns, pageWidth()));

/**
 * @typedef {object} Column
 * @property {string} key
 * @property {string} label
 * @property {number} [width] pixels; the columns without one share what is left
 * @property {number} [narrow] the same on narrow screens, 0 for what is left
 * @property {(row: any) => any} cell
 * @property {string} [cls] "num", "wide" (left out where there is no room for it), "acts", "name", "keep"
 * @property {boolean} [sorts]
 */

export class Table {
  constructor(invalidate) {
    this.invalidate = invalidate;
    this.top = 0;
    this.height = 900;
    this.frozen = null;
    this.selected = '';
    this.rows = [];
  }

  get rowHeight() {
    return isNarrow() ? 44 : 34;
  }

  /** Moves the selection and keeps it in sight. */
  move(by) {
    if (!this.rows.length) return;
    const at = this.rows.findIndex(row => row.id === this.selected);
    const next = Math.max(0, Math.min(this.rows.length - 1, at < 0 ? (by > 0 ? 0 : this.rows.length - 1) : at + by));
    this.selected = this.rows[next].id;
    const box = document.querySelector('.scroll');
    if (box) {
      const y = next * this.rowHeight, room = box.clientHeight - 32 - this.rowHeight;
      if (y < box.scrollTop) box.scrollTop = y;
      else if (y > box.scrollTop + room) box.scrollTop = y - room;
    }
    this.invalidate();
  }

  get current() {
    return this.rows.find(row => row.id === this.selected);
  }

  /** Shortcuts for moving in and opening rows. */
  keys(href) {
    return [
      {keys: 'j', label: 'Next row', group: 'List', run: () => this.move(1)},
      {keys: 'k', label: 'Previous row', group: 'List', run: () => this.move(-1)},
      ...(href ? [{keys: 'enter', label: 'Open row', group: 'List', run: () => this.current && this.open(href(this.current))}] : []),
    ];
  }

  open(href) {
    if (href) window.dispatchEvent(new CustomEvent('skep:go', {detail: href}));
  }

  /**
   * @param {object} t
   * @param {string} t.label what a screen reader calls the table
   * @param {Column[]} t.columns
   * @param {any[]} t.rows
   * @param {(row: any) => string} [t.href] where a row leads
   * @param {(row: any) => string} [t.rowClass]
   */
  view({label, columns: all, rows, href, rowClass = () => '', sort, descending, onSort, after = ''}) {
    const columns = shown(all);
    this.rows = inFrozenOrder(rows, this.frozen);
    if (this.rows.length && !this.drawn) {
      this.drawn = true;
      performance.mark('first-rows');
    }
    const {first, last} = visibleRange(this.rows.length, this.rowHeight, this.top, this.height);
    const gap = n => html`<tr class="gap" aria-hidden="true"><td colspan=${columns.length} .style=${`height:${n * this.rowHeight}px`}></td></tr>`;
    return html`<div class="scroll" tabindex="-1"
        @scroll=${e => { this.top = e.target.scrollTop; this.height = e.target.clientHeight; this.invalidate(); }}>
      <table class="list ${href ? '' : 'still'}" aria-label=${label} aria-rowcount=${this.rows.length + 1}
          @pointerenter=${() => { this.frozen = this.rows.map(row => row.id); }}
          @pointerleave=${() => { this.frozen = null; this.invalidate(); }}>
        <thead><tr>${columns.map(c => this.#head(c, sort, descending, onSort))}</tr></thead>
        <tbody>${first > 0 ? gap(first) : ''}
          ${repeat(this.rows.slice(first, last), row => row.id, (row, i) => html`<tr class=${rowClass(row)} aria-rowindex=${first + i + 2}
              aria-selected=${row.id === this.selected ? 'true' : nothing}
              @click=${e => this.#clicked(e, row, href)}>
            ${columns.map(c => html`<td class=${c.cls ?? ''}>${c.cell(row)}</td>`)}</tr>`)}
          ${last < this.rows.length ? gap(this.rows.length - last) : ''}</tbody></table>${after}</div>`;
  }

  #clicked(event, row, href) {
    if (event.target.closest('a, button, input') || getSelection().toString()) return;
    this.selected = row.id;
    if (href) this.open(href(row));
    this.invalidate();
  }

  #head(column, sort, descending, onSort) {
    const sorted = sort === column.key;
    const width = column.width ? `width:${column.width}px` : '';
    const arrow = sorted ? (descending ? ' ↓' : ' ↑') : '';
    const toggle = () => onSort({sort: column.key, desc: sorted && !descending ? '1' : ''});
    return html`<th scope="col" .style=${width} class=${column.cls ?? ''}
        aria-sort=${sorted ? (descending ? 'descending' : 'ascending') : nothing}>
      ${onSort && column.sorts !== false ? html`<button @click=${toggle}>${column.label}${arrow}</button>` : column.label}</th>`;
  }
}

/** A short table without scrolling of its own, for parts of a page. */
export const shortTable = ({label, columns: all, rows, href, rowClass = () => ''}, columns = shown(all)) => html`
  <table class="list ${href ? '' : 'still'}" aria-label=${label}>
    <thead><tr>${columns.map(c => html`<th scope="col" .style=${c.width ? `width:${c.width}px` : ''} class=${c.cls ?? ''}>${c.label}</th>`)}</tr></thead>
    <tbody>${rows.map(row => html`<tr class=${rowClass(row)} @click=${e => href && !e.target.closest('a, button') && window.dispatchEvent(new CustomEvent('skep:go', {detail: href(row)}))}>
      ${columns.map(c => html`<td class=${c.cls ?? ''}>${c.cell(row)}</td>`)}</tr>`)}</tbody></table>`;
