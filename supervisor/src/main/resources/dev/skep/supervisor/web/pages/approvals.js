/** Commands that wait for a yes, with the yes and the no beside them; and what was decided about those that waited. */
import {html, nothing, repeat} from '../core/lit.js';
import {decideApproval} from '../core/actions.js';
import {span} from '../core/format.js';
import {serverNow} from '../core/clock.js';
import {decided, decidedLately, shownOf, waitingFirst, waits} from './approvals.model.js';

const LATELY = 5, OF_ONE = 20;

const all = ctx => [...ctx.live.rows('approvals').values()];

/** Of one agent, from the live topic, which the page watches. */
export function approvalsOf(ctx, acts, agent) {
  const cards = waitingFirst(all(ctx).filter(c => c.agent === agent)).slice(0, OF_ONE);
  return [['Waiting for you', cards.filter(waits)], ['Decided', cards.filter(c => !waits(c))]].map(([title, of]) => (of.length ? html`<section class="part"><h2>${title}</h2>
    <ul class="waits">${repeat(of, c => c.id, c => approval(ctx, acts, c))}</ul></section>` : nothing));
}

/** What was decided within a day, by whomever and wherever. */
export function decidedCards(ctx, acts) {
  const cards = decidedLately(all(ctx), serverNow(), LATELY);
  return cards.length ? html`<section class="part"><h2>Decided lately</h2><ul class="waits">${cards.map(c => approval(ctx, acts, c, true))}</ul></section>` : nothing;
}

/** One card, which goes on to say what was decided. */
export const approval = (ctx, acts, c, named = false) => html`<li>${asked(c)}${waits(c) ? question(ctx, acts, c) : html`
  <span class="decided"><span class="mark ${c.decision}" aria-hidden="true"></span>${named ? html`<a class="link mono" href=${`/agents/${encodeURIComponent(c.agent)}`}>${c.agentName}</a>: ` : nothing}<span class="soft">${decided(c)}</span></span>`}
  ${acts.say(`yes:${c.id}`, `always:${c.id}`, `no:${c.id}`)}</li>`;

/** What it is about: texts of a program on another host, drawn as texts. */
function asked(c) {
  const {kind, title, path, command, rows} = shownOf(c);
  return html`${kind || title || path ? html`<div class="asked">${kind ? html`<span class="tag">${kind}</span>` : nothing}${title ? html`<b>${title}</b>` : nothing}${path ? html`<span class="mono">${path}</span>` : nothing}</div>` : nothing}
    ${command ? html`<pre>${command}</pre>` : nothing}
    ${rows.length ? html`<div class="diff" tabindex="0" role="region" aria-label="What changes">${rows.map(row => html`<span class="r ${row.look}">${row.text}</span>`)}</div>` : nothing}
    ${c.longDiff ? html`<a class="link" href=${`/logs?agent=${encodeURIComponent(c.agent)}&line=${c.id}`}>The whole of what changes is in the log</a>` : nothing}`;
}

const question = (ctx, acts, c) => html`${c.expiresAt ? html`<span class="soft">denied by itself in ${span(Math.max(0, (Date.parse(c.expiresAt) - serverNow()) / 1000))}</span>` : nothing}
  ${ctx.can('operator') ? html`<div class="answers">${acts.button(`yes:${c.id}`, 'Approve once', () => decideApproval(c.id, 'approve'), {cls: 'primary'})}
    ${c.mayAlways ? html`<span title="Adds it to the allow list of the agent's file">${acts.button(`always:${c.id}`, 'Always', () => decideApproval(c.id, 'always'))}</span>` : nothing}
    ${acts.button(`no:${c.id}`, 'Deny', () => decideApproval(c.id, 'deny', reasonOf(c)))}
    <input id=${`why-${c.id}`} maxlength="1000" placeholder="Why not, told to the agent" aria-label="Why you deny it, told to the agent; may stay empty"></div>` : nothing}`;

const reasonOf = c => document.getElementById(`why-${c.id}`)?.value.trim() ?? '';
