/** Small templates that every page uses. */
import {html, nothing, svg} from '../core/lit.js';
import {ago, clamp, count, exact, sparkPath, words} from '../core/format.js';
import {serverNow} from '../core/clock.js';

/** Which shape and colour a state has; healthy is quiet. */
const LOOK = {
  online: 'ok', active: 'ok', running: 'ok', connected: 'ok', succeeded: 'idle', delivered: 'idle',
  waiting: 'idle', stopped: 'idle', pending: 'idle', ended: 'idle', unknown: 'idle', cancelled: 'idle', resolved: 'idle', away: 'bad',
  degraded: 'warn', paused: 'warn', held: 'warn', awaiting_approval: 'warn', backing_off: 'warn', over_budget: 'warn',
  catching_up: 'warn', starting: 'warn', restarting: 'warn', stopping: 'warn', removed: 'idle', open: 'bad',
  offline: 'bad', failed: 'bad', timed_out: 'bad', lost: 'bad', unreachable: 'bad', disconnected: 'idle', crashed: 'bad', given_up: 'bad',
};

export const look = status => LOOK[status] ?? 'idle';

export const pill = (status, text = words(status)) => html`<span class="pill ${look(status)}">${text}</span>`;

/** "5 min ago" with the exact time on hover. */
export const when = iso => (iso
  ? html`<time datetime=${iso} title=${exact(iso)}>${ago(iso, serverNow())}</time>`
  : html`<span class="dim">–</span>`);

/** The exact time, in figures that stand below each other. */
export const stamp = iso => html`<time class="mono" datetime=${iso ?? nothing}>${exact(iso)}</time>`;

export const spark = (values, label, warn = false) => html`<span class="spark ${warn ? 'warn' : ''}">
  <svg viewBox="0 0 92 20" aria-hidden="true">${svg`<path d=${sparkPath(values ?? [])}></path>`}</svg><span>${label}</span></span>`;

export const meter = percent => (percent === null || percent === undefined
  ? html`<span class="dim">–</span>`
  : html`<span class="meter ${percent > 85 ? 'hi' : ''}"><svg viewBox="0 0 100 4" preserveAspectRatio="none" aria-hidden="true">
      ${svg`<rect width=${clamp(percent)} height="4"></rect>`}</svg><span>${percent}%</span></span>`);

export const labels = map => Object.entries(map ?? {}).map(([key, value]) => html`<span class="tag" title=${key}>${value || key}</span>`);

/** A count of which none is the usual: quiet if so. */
export const few = n => (n ? count(n) : html`<span class="dim">${count(n)}</span>`);

/** A link inside the app, styled as text unless asked otherwise. */
export const link = (href, text, cls = '') => html`<a href=${href} class=${cls || nothing}>${text}</a>`;

/** Names on the left, values on the right. */
export const facts = pairs => html`<dl class="facts">${pairs.filter(Boolean).map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>`;

export const empty = (title, ...lines) => html`<div class="empty"><b>${title}</b>${lines.map(line => html`<p>${line}</p>`)}</div>`;
