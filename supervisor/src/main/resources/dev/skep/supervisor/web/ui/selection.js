/** Rows that are ticked in a list, and the bar with what can be done with all of them. */
import {html, nothing} from '../core/lit.js';
import {plural} from '../core/format.js';

export class Selection {
  /** @param {() => void} invalidate @param {(row: any) => string} name what a screen reader calls the box of a row */
  constructor(invalidate, name) {
    this.invalidate = invalidate;
    this.name = name;
    this.ids = new Set();
  }

  toggle(id) {
    if (!this.ids.delete(id)) this.ids.add(id);
    this.invalidate();
  }

  clear() {
    this.ids.clear();
    this.invalidate();
  }

  /** Ticked rows that are among these: what was filtered away or is gone is not acted on. */
  among(rows) {
    return rows.filter(row => this.ids.has(row.id));
  }

  /** The first column: a box for each row, and one in the head for all that are listed. */
  column(rows) {
    const chosen = this.among(rows);
    const all = rows.length > 0 && chosen.length === rows.length;
    const pickAll = () => {
      if (all) this.ids.clear();
      else rows.forEach(row => this.ids.add(row.id));
      this.invalidate();
    };
    return {
      key: 'pick', width: 44, narrow: 40, cls: 'keep pick', sorts: false,
      label: html`<input type="checkbox" aria-label="All that are listed" .checked=${all} .indeterminate=${chosen.length > 0 && !all} @change=${pickAll}>`,
      cell: row => html`<input type="checkbox" aria-label=${this.name(row)} .checked=${this.ids.has(row.id)} @change=${() => this.toggle(row.id)}>`,
    };
  }

  /** @param {any[]} rows those listed @param {string} noun @param {(chosen: any[]) => any} buttons */
  bar(rows, noun, buttons) {
    const chosen = this.among(rows);
    if (!chosen.length) return nothing;
    return html`<div class="picked" role="region" aria-label="What to do with those chosen"><b>${plural(chosen.length, noun)}</b>
      ${buttons(chosen)}<button class="quiet" @click=${() => this.clear()}>Clear<kbd>esc</kbd></button></div>`;
  }
}
