/** What to call somebody who is named by an id. */
import {get, inOrg} from '../core/api.js';
import {Kept} from '../core/kept.js';
import {hostNames, knownHost} from './host-filter.js';

export const people = new Kept(async () => (await get(inOrg('/view/names'))).names, {});

/** "operator:01J…" → "maria", "host:01J…" → "box-a"; what nobody knows stays as it is. */
export function calledBy(ctx, label) {
  if (label?.startsWith('host:')) return knownHost(ctx, label.slice(5))?.name ?? label;
  const name = people.get(ctx.invalidate)[label];
  if (!name && label?.startsWith('operator:')) people.misses(label);
  return name ?? label;
}

/** What a name stands for in the record, "maria" → "operator:01J…"; anything else is taken as it was typed. */
export function labelOf(ctx, name) {
  const typed = name?.trim() ?? '', names = people.get(ctx.invalidate);
  const person = Object.keys(names).find(label => names[label] === typed);
  const host = hostNames.get(ctx.invalidate).find(h => h.name === typed);
  return person ?? (host ? `host:${host.id}` : typed);
}
