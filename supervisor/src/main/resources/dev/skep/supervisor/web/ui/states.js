/** Loading, failing, missing: the states a page can be in before it has something to show. */
import {html} from '../core/lit.js';
import {SKELETON_AFTER} from '../core/live.js';
import {empty} from './bits.js';

/** Something that is loaded once: its value, its problem, or the time it has been loading. */
export class Loading {
  constructor(invalidate) {
    this.invalidate = invalidate;
    this.value = null;
    this.problem = null;
    this.busy = false;
    this.since = 0;
  }

  /** Loads; an answer that was overtaken by a newer question is dropped. */
  async run(load) {
    const ticket = this.ticket = {};
    this.busy = true;
    this.since = performance.now();
    setTimeout(this.invalidate, SKELETON_AFTER + 10);
    try {
      const value = await load();
      if (ticket !== this.ticket) return;
      this.value = value;
      this.problem = null;
    } catch (problem) {
      if (ticket !== this.ticket) return;
      if (problem.status === 401) location.assign(`/sign-in?to=${encodeURIComponent(location.pathname + location.search)}`);
      this.problem = problem;
    }
    this.busy = false;
    this.invalidate();
  }

  /** The template for what is there, or for what is not. */
  show(template, retry) {
    if (this.value !== null) return template(this.value);
    if (this.problem) return problemState(this.problem, retry);
    return performance.now() - this.since > SKELETON_AFTER ? skeleton() : html``;
  }
}

export const skeleton = (rows = 8) => html`<div class="skeleton" role="status" aria-label="Loading">
  ${Array.from({length: rows}, (_, i) => html`<i .style=${`width:${90 - (i * 13) % 40}%`}></i>`)}</div>`;

/** A page whose lists are not there yet. */
export const unloaded = live => (live.problem ? problemState(live.problem) : live.isSlow ? skeleton() : html``);

export function problemState(problem, retry) {
  if (problem.status === 404) return empty('There is nothing here.', problem.message);
  return html`<div class="empty" role="alert"><b>This could not be loaded.</b><p>${problem.message}</p>
    ${retry ? html`<p><button @click=${retry}>Try again</button></p>` : ''}</div>`;
}

/** The way to what is older, and why it did not come. */
export const moreButton = (loading, label, run) => html`<div class="more"><button ?disabled=${loading.busy} @click=${run}>${loading.busy ? 'Loading…' : label}</button>
  ${loading.problem ? html`<span class="problem" role="alert">${loading.problem.message}</span>` : ''}</div>`;
