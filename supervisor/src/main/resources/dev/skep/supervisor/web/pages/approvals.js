/** Commands that wait for a yes, with the yes and the no beside them. */
import {html, nothing} from '../core/lit.js';
import {decideApproval} from '../core/actions.js';
import {span} from '../core/format.js';
import {serverNow} from '../core/clock.js';

/** Those of the live topic, which the page watches. */
export const approvalList = (ctx, acts, keep = () => true) => html`<ul class="waits">${[...ctx.live.rows('approvals').values()].filter(keep).map(w => approval(ctx, acts, w))}</ul>`;

export const approval = (ctx, acts, w) => html`<li><pre>${w.command}</pre>
  ${w.expiresAt ? html`<span class="soft">denied by itself in ${span(Math.max(0, (Date.parse(w.expiresAt) - serverNow()) / 1000))}</span>` : nothing}
  ${ctx.can('operator') ? html`${acts.button(`yes:${w.id}`, 'Approve', () => decideApproval(w.id, true), {cls: 'primary'})}
    ${acts.button(`no:${w.id}`, 'Deny', () => decideApproval(w.id, false))}` : ''}
  ${acts.say(`yes:${w.id}`, `no:${w.id}`)}</li>`;
