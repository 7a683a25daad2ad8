/** Chooses one host, and knows what hosts are called. */
import {html} from '../core/lit.js';
import {get, inOrg} from '../core/api.js';
import {Kept} from '../core/kept.js';
import {ask} from './dialog.js';

export const hostNames = new Kept(async () => (await get(inOrg('/view/hosts'))).rows
  .map(h => ({id: h.id, name: h.name, kind: h.kind, status: h.status})).sort((a, b) => a.name.localeCompare(b.name)), []);

/** All of them; the stream tells when one came, went or got another name. */
function current(ctx) {
  const told = ctx.live.rows('fleet').get('fleet');
  if (told) hostNames.isOf(told.hostNames);
  return hostNames.get(ctx.invalidate);
}

export const hostFilter = ctx => html`<select aria-label="Filter by host" .value=${ctx.query.host ?? ''} @change=${e => ctx.setQuery({host: e.target.value})}>
    <option value="" ?selected=${!ctx.query.host}>All hosts</option>
    ${current(ctx).map(h => html`<option value=${h.id} ?selected=${h.id === ctx.query.host}>${h.name}${h.kind === 'hub' ? ' (hub)' : ''}</option>`)}</select>`;

/** The host of this id, if anybody knows it. */
export function knownHost(ctx, id) {
  const found = current(ctx).find(h => h.id === id);
  if (!found) hostNames.misses(id);
  return found;
}

/** Says that there is no host for what was asked. */
export const noHost = title => ask({title, text: 'There is no host for it yet. Add one on the hosts page first.', act: 'Close', run: async () => {}});

/** The hosts that work can be given to, as of now. */
export const workingHosts = async invalidate => (await hostNames.anew(invalidate)).filter(h => h.kind !== 'hub');
