/** Something that is asked for once and kept; asked for again when somebody has reason to, never by the clock. */
const OLD = 60_000, AFTER_A_FAILURE = 5_000;

export class Kept {
  /** @param {() => Promise<any>} load */
  constructor(load, otherwise) {
    this.load = load;
    this.value = otherwise;
    this.wanted = true;
    this.askedAt = 0;
    this.missed = new Set();
    this.answer = Promise.resolve();
  }

  /** What is known; the first time, and when it was found wanting, it is asked for. */
  get(invalidate) {
    if (this.wanted) {
      this.wanted = false;
      this.askedAt = Date.now();
      this.answer = this.load().then(value => {
        this.value = value;
        invalidate();
      }, () => setTimeout(() => {
        this.wanted = true;
        invalidate();
      }, AFTER_A_FAILURE));
    }
    return this.value;
  }

  /** What it was made from is now of this version. */
  isOf(version) {
    if (this.version !== undefined && version !== this.version) this.wanted = true;
    this.version = version;
  }

  /** Something is not in it: it may be newer. Each is believed once. */
  misses(what) {
    if (!what || this.missed.has(what)) return;
    this.missed.add(what);
    this.wanted = true;
  }

  /** Somebody went to another page: what is old may be asked for again. */
  turnedTo() {
    if (Date.now() - this.askedAt > OLD) this.wanted = true;
  }

  /** As of now. */
  async anew(invalidate) {
    this.wanted = true;
    this.get(invalidate);
    await this.answer;
    return this.value;
  }
}
