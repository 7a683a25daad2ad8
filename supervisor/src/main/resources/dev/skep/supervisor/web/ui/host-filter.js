/** Chooses one host; the list of hosts is asked for once and kept for a minute. */
import {html} from '../core/lit.js';
import {get, inOrg} from '../core/api.js';
import {ask} from './dialog.js';

let hosts = [];
let askedAt = 0;
let asked = Promise.resolve();

function ensure(invalidate) {
  if (Date.now() - askedAt < 60_000) return;
  askedAt = Date.now();
  asked = get(inOrg('/view/hosts')).then(list => {
    hosts = list.rows.map(h => ({id: h.id, name: h.name, kind: h.kind, status: h.status})).sort((a, b) => a.name.localeCompare(b.name));
    invalidate();
  }, () => { askedAt = 0; });
}

export function hostFilter(ctx) {
  ensure(ctx.invalidate);
  return html`<select aria-label="Filter by host" .value=${ctx.query.host ?? ''} @change=${e => ctx.setQuery({host: e.target.value})}>
    <option value="" ?selected=${!ctx.query.host}>All hosts</option>
    ${hosts.map(h => html`<option value=${h.id} ?selected=${h.id === ctx.query.host}>${h.name}</option>`)}</select>`;
}

export const knownHosts = invalidate => {
  ensure(invalidate);
  return hosts;
};

/** Says that there is no host for what was asked. */
export const noHost = title => ask({title, text: 'There is no host for it yet. Add one on the hosts page first.', act: 'Close', run: async () => {}});

/** The hosts that work can be given to, as of now. */
export const workingHosts = async invalidate => {
  askedAt = 0;
  ensure(invalidate);
  await asked;
  return hosts.filter(h => h.kind !== 'hub');
};
