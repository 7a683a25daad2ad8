/** Rows of a topic as the page has them, changed by deltas, held back while paused. Pure. */
export class LiveRows {
  constructor() {
    this.rows = new Map();
    this.loaded = false;
    this.paused = false;
    this.held = [];
    this.waiting = 0;
    this.version = 0;
  }

  /** Starts from a whole list. */
  load(rows) {
    this.rows = new Map(rows.map(row => [row.id, row]));
    this.loaded = true;
    this.held = [];
    this.waiting = 0;
    this.version++;
  }

  /** Takes what changed; says how many rows that is. */
  apply(delta) {
    const size = delta.put.length + delta.drop.length;
    if (this.paused) {
      this.held.push(delta);
      this.waiting += size;
    } else {
      this.#change(delta);
    }
    return size;
  }

  pause() {
    this.paused = true;
  }

  resume() {
    this.paused = false;
    for (const delta of this.held) this.#change(delta);
    this.held = [];
    this.waiting = 0;
  }

  #change(delta) {
    for (const row of delta.put) this.rows.set(row.id, row);
    for (const id of delta.drop) this.rows.delete(id);
    this.version++;
  }

  get(id) {
    return this.rows.get(id);
  }

  values() {
    return this.rows.values();
  }

  get size() {
    return this.rows.size;
  }
}

/** A held list of changes must not grow for ever: past this many, a page loads anew on resuming. */
export const MOST_HELD = 20_000;
