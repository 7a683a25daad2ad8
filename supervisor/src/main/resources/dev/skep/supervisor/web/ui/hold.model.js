/** What is said of a hold of all agents. Pure. */
import {plural} from '../core/format.js';

const OPEN = [
  ['pending', 'Not answered yet'],
  ['away', 'Away, held when back'],
  ['refused', 'Not stopped, no consent'],
  ['unable', 'Not stopped, too old'],
  ['lifted', 'Lifted on the host'],
];

/** How many stand still, and where. */
export function heldWords(hold) {
  const hosts = hold.hosts.filter(h => h.state === 'held').length;
  return hold.held ? `${plural(hold.agents, 'agent')} on ${plural(hosts, 'host')} ${hold.agents === 1 ? 'stands' : 'stand'} still.` : 'They are let go when their hosts hear of it.';
}

/** Hosts whose agents are not held, by the reason; those without agents are nobody's trouble. */
export const openPoints = hold => OPEN
  .map(([state, text]) => ({text: hold.held || state !== 'away' ? text : 'Away', hosts: hold.hosts.filter(h => h.state === state && h.agents > 0)}))
  .filter(point => point.hosts.length);
