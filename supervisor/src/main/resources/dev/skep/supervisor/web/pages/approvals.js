/** Commands that wait for a yes, with the yes and the no beside them. */
import {html} from '../core/lit.js';
import {get, inOrg} from '../core/api.js';
import {decideApproval} from '../core/actions.js';
import {span} from '../core/format.js';
import {serverNow} from '../core/clock.js';

let list = [];
let askedAt = 0;

function ensure(invalidate) {
  if (Date.now() - askedAt < 3000) return;
  askedAt = Date.now();
  get(inOrg('/view/approvals')).then(l => { list = l.rows; invalidate(); }, () => {});
}

/** Of the live topic where the page watches it, else asked for when first drawn. */
export function approvalList(ctx, acts, keep = () => true) {
  const live = ctx.live.topics.get('approvals');
  if (!live) ensure(ctx.invalidate);
  const waiting = (live ? [...live.values()] : list).filter(keep);
  return html`<ul class="waits">${waiting.map(w => approval(ctx, acts, w))}</ul>`;
}

export const approval = (ctx, acts, w) => html`<li><pre>${w.command}</pre>
  <span class="soft">denied by itself in ${span(Math.max(0, (Date.parse(w.expiresAt) - serverNow()) / 1000))}</span>
  ${ctx.can('operator') ? html`${acts.button(`yes:${w.id}`, 'Approve', () => decideApproval(w.id, true), {cls: 'primary'})}
    ${acts.button(`no:${w.id}`, 'Deny', () => decideApproval(w.id, false))}` : ''}
  ${acts.say(`yes:${w.id}`, `no:${w.id}`)}</li>`;
