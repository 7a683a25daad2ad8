/** The tab's one stream: lists first, then what changes; closed while hidden, reopened when lost. */
import {get, inOrg, withQuery} from './api.js';
import {setServerNow} from './clock.js';
import {LiveRows, MOST_HELD} from './rows.js';
import {earlierPlace, waitAfter} from './retry.js';

/** What loads faster than this shows nothing in between. */
export const SKELETON_AFTER = 150;
const HIDDEN_AFTER = 5_000;
const SILENT_AFTER = 25_000;

/**
 * @typedef {'loading'|'live'|'lost'|'hidden'} LiveState
 * @typedef {object} LiveEvents
 * @property {() => void} changed something to draw
 * @property {(lines: any[]) => void} lines of the followed log
 * @property {() => void} signedOut the server no longer knows who this is
 */
export class Live {
  /** @param {LiveEvents} events */
  constructor(events) {
    this.events = events;
    /** @type {Map<string, LiveRows>} */
    this.topics = new Map();
    this.log = null;
    /** @type {LiveState} */
    this.state = 'loading';
    this.problem = null;
    this.failures = 0;
    this.retryAt = 0;
    this.place = '';
    this.paused = false;
    this.rate = 0;
    this.seen = 0;
    this.generation = 0;
    /** Whether the lists are loaded, so that a stream has a place to go on from. */
    this.ready = false;
    this.since = 0;
    this.followed = false;
    document.addEventListener('visibilitychange', () => this.#visibility());
    setInterval(() => this.#tick(), 1000);
  }

  rows(topic) {
    if (!this.topics.has(topic)) this.topics.set(topic, new LiveRows());
    return this.topics.get(topic);
  }

  /** Watches other topics; those it has already are kept and go on. */
  async watch(names, log = null) {
    const same = this.state === 'live' && !log && !this.followed
      && names.length === this.topics.size && names.every(n => this.topics.get(n)?.loaded);
    if (same) return;
    this.setPaused(false);
    this.topics = new Map(names.map(name => [name, new LiveRows()]));
    this.log = log;
    this.failures = 0;
    await this.#begin();
  }

  /** Follows a log from a line on, beside the topics. */
  follow(log) {
    this.log = log;
    // The line of another log is no place in this one.
    this.place = this.place.split('.').slice(0, 2).join('.');
    if (this.ready) this.#open();
  }

  setPaused(paused) {
    if (paused === this.paused) return;
    this.paused = paused;
    let tooMany = false;
    for (const rows of this.topics.values()) {
      if (paused) rows.pause();
      else if (rows.waiting > MOST_HELD) tooMany = true;
      else rows.resume();
    }
    if (tooMany) this.#begin();
    this.events.changed();
  }

  /** Whether somebody waits for the lists long enough to be told so. */
  get isSlow() {
    return performance.now() - this.since > SKELETON_AFTER;
  }

  get waiting() {
    let sum = 0;
    for (const rows of this.topics.values()) sum += rows.waiting;
    return sum;
  }

  retryNow() {
    this.retryAt = 0;
    this.#begin();
  }

  /** Loads every topic, then streams from the earliest of their places. */
  async #begin() {
    const generation = ++this.generation;
    this.ready = false;
    this.since = performance.now();
    setTimeout(this.events.changed, SKELETON_AFTER + 10);
    this.#closeStream();
    if (this.state !== 'lost') this.state = 'loading';
    try {
      // Each list is shown when it is there: rows do not wait for the totals beside them.
      const places = await Promise.all([...this.topics.keys()].map(name => this.#load(name, generation)));
      if (generation !== this.generation) return;
      this.place = places.reduce((a, b) => earlierPlace(a, b) ?? '', '');
      this.problem = null;
      this.ready = true;
      this.#open();
      this.events.changed();
    } catch (problem) {
      if (generation === this.generation) this.#failed(problem);
    }
  }

  async #load(name, generation) {
    const list = await get(inOrg(`/view/${name}`));
    if (generation !== this.generation) return '';
    const rows = this.rows(name);
    rows.load(list.rows);
    rows.paused = this.paused;
    setServerNow(list.now);
    this.events.changed();
    return list.place;
  }

  #open() {
    this.#closeStream();
    if (document.hidden) {
      this.state = 'hidden';
      return;
    }
    const query = {topics: [...this.topics.keys()].join(','), from: this.place};
    if (this.log) Object.assign(query, this.log.filter, {log: this.log.kind, line: this.log.line()});
    this.followed = this.log !== null;
    const source = new EventSource(withQuery(inOrg('/live'), query));
    this.source = source;
    const on = (name, take) => source.addEventListener(name, event => {
      if (source !== this.source) return;
      if (event.lastEventId) this.place = event.lastEventId;
      this.heardAt = Date.now();
      take(JSON.parse(event.data));
    });
    on('clock', data => {
      setServerNow(data.now);
      this.state = 'live';
      this.failures = 0;
      this.problem = null;
      this.events.changed();
    });
    on('delta', delta => {
      const rows = this.topics.get(delta.topic);
      if (rows) this.seen += rows.apply(delta);
      this.events.changed();
    });
    on('lines', data => {
      this.seen += data.lines.length;
      this.log?.arrived(data.lines);
      this.events.changed();
    });
    on('reset', () => this.#begin());
    source.onerror = () => {
      if (source === this.source) this.#failed(null);
    };
  }

  #closeStream() {
    this.source?.close();
    this.source = null;
  }

  async #failed(problem) {
    this.#closeStream();
    if (problem?.status === 401) return this.events.signedOut();
    if (problem && problem.status >= 400 && problem.status < 500 && problem.status !== 429) {
      this.problem = problem;
      this.state = 'live';
      this.events.changed();
      return undefined;
    }
    this.failures++;
    this.state = 'lost';
    this.retryAt = Date.now() + waitAfter(this.failures) * 1000;
    this.events.changed();
    return undefined;
  }

  #tick() {
    this.rate = this.seen;
    this.seen = 0;
    if (this.state === 'lost' && this.retryAt && Date.now() >= this.retryAt) {
      this.retryAt = 0;
      this.#again();
    }
    if (this.source && this.heardAt && Date.now() - this.heardAt > SILENT_AFTER) {
      this.heardAt = Date.now();
      this.#failed(null);
    }
    this.events.changed();
  }

  /** Tries the stream where it broke off; a server that was replaced sends a reset. */
  async #again() {
    const generation = this.generation;
    try {
      // A stream cannot tell why it was refused; a question can.
      await get('/api/supervisor');
    } catch (problem) {
      if (generation === this.generation) this.#failed(problem.status === 401 ? problem : null);
      return;
    }
    if (generation !== this.generation) return;
    if (this.place && [...this.topics.values()].every(rows => rows.loaded)) this.#open();
    else this.#begin();
  }

  #visibility() {
    clearTimeout(this.hideTimer);
    if (document.hidden) {
      this.hideTimer = setTimeout(() => {
        this.#closeStream();
        if (this.state === 'live') this.state = 'hidden';
      }, HIDDEN_AFTER);
    } else if (this.state === 'hidden' || !this.source) {
      this.state = 'loading';
      this.#again();
    }
  }
}
