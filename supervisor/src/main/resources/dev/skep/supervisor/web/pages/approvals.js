/** Commands that wait for a yes, with the yes and the no beside them; and what was decided about those that waited. */
import {html, nothing, repeat} from '../core/lit.js';
import {decideApproval} from '../core/actions.js';
import {span} from '../core/format.js';
import {serverNow} from '../core/clock.js';
import {decided, decidedLately, waitingFirst, waits} from './approvals.model.js';

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
export const approval = (ctx, acts, c, named = false) => html`<li><pre>${c.command}</pre>${waits(c) ? question(ctx, acts, c) : html`
  <span class="decided"><span class="mark ${c.decision}" aria-hidden="true"></span>${named ? html`<a class="link mono" href=${`/agents/${encodeURIComponent(c.agent)}`}>${c.agentName}</a>: ` : nothing}<span class="soft">${decided(c)}</span></span>`}
  ${acts.say(`yes:${c.id}`, `no:${c.id}`)}</li>`;

const question = (ctx, acts, c) => html`${c.expiresAt ? html`<span class="soft">denied by itself in ${span(Math.max(0, (Date.parse(c.expiresAt) - serverNow()) / 1000))}</span>` : nothing}
  ${ctx.can('operator') ? html`${acts.button(`yes:${c.id}`, 'Approve', () => decideApproval(c.id, true), {cls: 'primary'})}
    ${acts.button(`no:${c.id}`, 'Deny', () => decideApproval(c.id, false))}` : nothing}`;
