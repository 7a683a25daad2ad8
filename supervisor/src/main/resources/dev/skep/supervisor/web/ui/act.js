/** Doing something: the button shows its progress and, beside it, its failure. */
import {html, nothing} from '../core/lit.js';
import {jobNote} from './act.model.js';

const SHOWN_FOR = 8_000;

/** Remembers what is being done on a page, by name. */
export class Acts {
  constructor(ctx) {
    this.ctx = ctx;
    this.states = new Map();
  }

  async run(name, work) {
    if (this.states.get(name)?.busy) return false;
    this.#set(name, {busy: true});
    try {
      this.follow(name, await work());
      return true;
    } catch (problem) {
      this.#set(name, {problem: problem.message});
      // Below a row at the end of a list it could be out of sight once it is drawn.
      requestAnimationFrame(() => requestAnimationFrame(() => document.querySelector('main .problem')?.scrollIntoView({block: 'nearest'})));
      return false;
    }
  }

  /** Shows what was answered: it is done, or a host was told and will say. */
  follow(name, result) {
    if (result?.outcome === 'queued') return this.#set(name, {job: result.jobId});
    this.#set(name, {note: result?.note ?? 'Done'});
    return this.#forgetSoon(name);
  }

  #set(name, state) {
    this.states.set(name, state);
    this.ctx.invalidate();
  }

  #forgetSoon(name) {
    const state = this.states.get(name);
    setTimeout(() => {
      if (this.states.get(name) === state) this.states.delete(name);
      this.ctx.invalidate();
    }, SHOWN_FOR);
  }

  clear(name) {
    this.states.delete(name);
  }

  button(name, label, work, {cls = '', disabled = false} = {}) {
    const state = this.states.get(name) ?? {};
    // Not disabled while it works: that would take the focus from whoever pressed it. The second click of a double click is dropped: by then
    // another question may stand where the first one was.
    return html`<button class=${cls} ?disabled=${disabled} aria-disabled=${state.busy ? 'true' : nothing} @click=${e => { e.stopPropagation(); if (e.detail < 2) this.run(name, work); }}>${state.busy ? 'Working…' : label}</button>`;
  }

  /** What came of the last tries, for a place near their buttons: what was refused before what is under way. A job is followed to its end. */
  say(...names) {
    const refused = names.find(name => this.states.get(name)?.problem);
    if (refused) return this.#problem(refused, this.states.get(refused).problem);
    for (const name of names) {
      const state = this.states.get(name);
      if (state?.note) return html`<span class="note" role="status">${state.note}</span>`;
      if (state?.job) return this.#job(name, state);
    }
    return nothing;
  }

  /** For the narrow cell of a row: the buttons, or what a host is about to do instead of them. */
  cell(names, buttons) {
    const under = names.some(name => { const job = this.states.get(name)?.job; return job && !jobNote(this.ctx.live.rows('jobs').get(job)).over; });
    return html`${under ? nothing : buttons} ${this.say(...names)}`;
  }

  #problem(name, text) {
    return html`<span class="problem" role="alert"><span>${text}</span><button class="quiet" aria-label="Dismiss" @click=${e => { e.stopPropagation(); this.clear(name); this.ctx.invalidate(); }}>✕</button></span>`;
  }

  #job(name, state) {
    const note = jobNote(this.ctx.live.rows('jobs').get(state.job));
    if (note.over && !state.ending && !note.bad) {
      state.ending = true;
      this.#forgetSoon(name);
    }
    const said = html`<a href=${`/jobs/${encodeURIComponent(state.job)}`}>${note.text}</a>`;
    return note.bad ? this.#problem(name, said) : html`<span class="note" role="status">${said}</span>`;
  }
}
