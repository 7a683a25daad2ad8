/** Stopping all agents of the org and letting them go again: the banner on every page, and the question before. */
import {html, nothing} from '../core/lit.js';
import {letAllGo, stopAll} from '../core/actions.js';
import {plural} from '../core/format.js';
import {when} from './bits.js';
import {ask} from './dialog.js';
import {heldWords, openPoints} from './hold.model.js';

const state = {busy: false, problem: ''};

async function undo(ctx) {
  if (state.busy) return;
  Object.assign(state, {busy: true, problem: ''});
  ctx.invalidate();
  try {
    await letAllGo();
  } catch (problem) {
    state.problem = problem.message;
  }
  state.busy = false;
  ctx.invalidate();
}

/** Stands on every page while something holds agents. */
export function holdBanner(ctx) {
  const hold = ctx.live.rows('hold').get('hold');
  if (!hold) return nothing;
  const open = openPoints(hold);
  return html`<div class="banner held" role="status"><span><b>${hold.held ? 'All agents are stopped' : 'Some agents still stand still'}</b>
      ${hold.held ? html`by ${hold.by}, ${when(hold.since)}${hold.reason ? html`: ${hold.reason}` : nothing}.` : '.'} ${heldWords(hold)}
      ${open.map(point => html`<span class="point">${point.text}: ${point.hosts.map(h => html`<a href=${`/hosts/${encodeURIComponent(h.hostId)}`} title=${h.detail ?? ''}>${h.host}</a> `)}</span>`)}
      ${state.problem ? html`<span class="problem" role="alert">${state.problem}</span>` : nothing}</span>
    ${ctx.can('operator') && ctx.has('controls') ? html`<button aria-disabled=${state.busy ? 'true' : nothing} @click=${() => undo(ctx)}>${state.busy ? 'Working…' : 'Let them go on'}</button>` : nothing}</div>`;
}

const outcome = hold => html`<p>${heldWords(hold)}</p>${openPoints(hold).map(point => html`<p>${point.text}:</p>
  <ul>${point.hosts.map(h => html`<li><b class="mono">${h.host}</b>: ${h.detail}</li>`)}</ul>`)}`;

/** Asks once, and says by name which hosts did not do it. */
export const askToStopAll = () => ask({
  title: 'Stop all agents',
  text: 'No agent of this org begins anything more: on hosts that are there within two seconds, on the others when they are back. What is under way has 15 seconds. Nothing is lost: letting them go puts each back to what it was.',
  act: 'Stop all agents',
  danger: true,
  fields: [{name: 'reason', label: 'Why, for the others (optional)', required: false}],
  run: async v => stopAll(v.reason),
  done: outcome,
});
