/** Doing something: the button shows its progress and, beside it, its failure. */
import {html, nothing} from '../core/lit.js';

/** Remembers what is being done on a page, by name. */
export class Acts {
  constructor(invalidate) {
    this.invalidate = invalidate;
    this.states = new Map();
  }

  async run(name, work) {
    if (this.states.get(name)?.busy) return false;
    this.#set(name, {busy: true});
    try {
      const result = await work();
      this.#set(name, {note: result?.outcome === 'queued' ? 'Sent to the host' : 'Done', result});
      setTimeout(() => { this.states.delete(name); this.invalidate(); }, 4000);
      return true;
    } catch (problem) {
      this.#set(name, {problem: problem.message});
      return false;
    }
  }

  #set(name, state) {
    this.states.set(name, state);
    this.invalidate();
  }

  clear(name) {
    this.states.delete(name);
  }

  button(name, label, work, {cls = '', disabled = false} = {}) {
    const state = this.states.get(name) ?? {};
    return html`<button class=${cls} ?disabled=${disabled || state.busy} @click=${e => { e.stopPropagation(); this.run(name, work); }}>${state.busy ? 'Working…' : label}</button>`;
  }

  /** What came of the last try, for a place near its button. */
  say(...names) {
    for (const name of names) {
      const state = this.states.get(name);
      if (state?.problem) return html`<span class="problem" role="alert">${state.problem}</span>`;
      if (state?.note) return html`<span class="note" role="status">${state.note}</span>`;
    }
    return nothing;
  }
}
