/** One approval, where a message's link leads: the card alone. Opening it decides nothing. */
import {html} from '../core/lit.js';
import {Acts} from '../ui/act.js';
import {empty} from '../ui/bits.js';
import {unloaded} from '../ui/states.js';
import {overview} from './overview.js';
import {approval} from './approvals.js';

export const approvalCard = {
  path: '/approvals/:approval',
  title: 'Approval',
  parent: overview,
  topics: ['approvals', 'jobs'],
  needs: 'approvals',
  open(ctx) {
    const acts = new Acts(ctx), id = ctx.params.approval;
    const card = () => ctx.live.rows('approvals').get(id);
    return {
      title: () => (card() ? `${card().agentName} asks` : 'Approval'),
      view: () => html`<div class="body">${ctx.live.rows('approvals').loaded ? shown(ctx, acts, card()) : unloaded(ctx.live)}</div>`,
    };
  },
};

const shown = (ctx, acts, card) => (card
  ? html`<section class="part"><h2><a class="link mono" href=${`/agents/${encodeURIComponent(card.agent)}`}>${card.agentName}</a></h2><ul class="waits">${approval(ctx, acts, card)}</ul></section>`
  : empty('This no longer waits.', 'It was decided a while ago, its time ran out, or its host does not answer now.', html`<a class="link" href="/overview">What needs you now</a>`));
