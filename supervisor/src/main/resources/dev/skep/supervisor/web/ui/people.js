/** What to call somebody who is named by an id; asked for once and kept for a minute. */
import {get, inOrg} from '../core/api.js';
import {knownHosts} from './host-filter.js';

let names = {};
let askedAt = 0;

function ensure(invalidate) {
  if (Date.now() - askedAt < 60_000) return;
  askedAt = Date.now();
  get(inOrg('/view/names')).then(answer => {
    names = answer.names;
    invalidate();
  }, () => { askedAt = 0; });
}

/** "operator:01J…" → "maria", "host:01J…" → "box-a"; what nobody knows stays as it is. */
export function calledBy(ctx, label) {
  ensure(ctx.invalidate);
  if (label?.startsWith('host:')) return knownHosts(ctx.invalidate).find(h => `host:${h.id}` === label)?.name ?? label;
  return names[label] ?? label;
}

/** What a name stands for in the record, "maria" → "operator:01J…"; anything else is taken as it was typed. */
export function labelOf(ctx, name) {
  ensure(ctx.invalidate);
  const typed = name?.trim() ?? '';
  const person = Object.keys(names).find(label => names[label] === typed);
  const host = knownHosts(ctx.invalidate).find(h => h.name === typed);
  return person ?? (host ? `host:${host.id}` : typed);
}
