/** A stretch of a log in memory: grows at either end, never beyond its bound. Pure. */
export const MOST_LINES = 20_000;

export class LogWindow {
  constructor(most = MOST_LINES) {
    this.most = most;
    this.clear();
  }

  clear() {
    this.lines = [];
    /** Whether the newest line there is, is here. */
    this.atEnd = true;
    /** Whether older lines are elsewhere. */
    this.hasBefore = false;
    this.held = [];
    this.paused = false;
  }

  load({lines, before}, atEnd = true) {
    this.lines = lines.slice();
    this.hasBefore = before !== null && before !== undefined;
    this.atEnd = atEnd;
    this.held = [];
  }

  get firstId() {
    return this.lines[0]?.id ?? '';
  }

  get lastId() {
    return this.lines.at(-1)?.id ?? '';
  }

  get waiting() {
    return this.held.length;
  }

  /** Adds older lines in front; lets go of the newest if there are too many. */
  prepend({lines, before}) {
    const first = this.firstId;
    const older = first ? lines.filter(line => line.id < first) : lines;
    this.lines = older.concat(this.lines);
    this.hasBefore = before !== null && before !== undefined;
    if (this.lines.length > this.most) {
      this.lines.length = this.most;
      this.atEnd = false;
    }
    return older.length;
  }

  /** Adds newer lines behind, each once; lets go of the oldest if there are too many. */
  append(lines) {
    const last = this.lastId;
    const newer = last ? lines.filter(line => line.id > last) : lines;
    this.lines = this.lines.concat(newer);
    const surplus = this.lines.length - this.most;
    if (surplus > 0) {
      this.lines = this.lines.slice(surplus);
      this.hasBefore = true;
    }
    return {added: newer.length, removed: Math.max(0, surplus)};
  }

  /** Lines that just came: shown, held while paused, or left for later if the end is not here. */
  arrive(lines) {
    if (!this.atEnd) return {added: 0, removed: 0};
    if (this.paused) {
      this.held = this.held.concat(lines);
      if (this.held.length > this.most) {
        // Too many to keep: the end is no longer here, and resuming loads it again.
        this.held = [];
        this.atEnd = false;
      }
      return {added: 0, removed: 0};
    }
    return this.append(lines);
  }

  resume() {
    this.paused = false;
    const held = this.held;
    this.held = [];
    return this.append(held);
  }
}

/** Lines with the text, by their place, newest last. */
export function matches(lines, text, wordsOf = line => line.message) {
  const wanted = text.trim().toLowerCase();
  if (!wanted) return [];
  const found = [];
  lines.forEach((line, i) => {
    if (wordsOf(line).toLowerCase().includes(wanted)) found.push(i);
  });
  return found;
}
