/** Budgets as people read and type them. Pure. */
import {clockTime, money, span} from '../core/format.js';

const UNITS = {m: 60, h: 3600, d: 86400};

/** Dollars as micro-dollars; what is not an amount is refused by the server in its own words. */
export const micros = text => Math.round(Number(text.trim().replace(/^\$/, '')) * 1e6);

/** "90m", "8h", "30d" in seconds. */
export function windowSeconds(text) {
  const found = /^(\d{1,6})([mhd])$/.exec(text.trim());
  if (!found) throw new Error(`“${text}” is not a time; write for example 90m, 8h or 30d.`);
  return Number(found[1]) * UNITS[found[2]];
}

/** "$3.10 an hour, the limit is reached at 17:40 UTC". */
export function forecast(budget, now) {
  if (budget.exhausted) return 'spent: calls wait';
  if (!budget.microsPerHour) return 'nothing at the moment';
  const rate = `${money(budget.microsPerHour)} an hour`;
  if (!budget.reachedAt) return rate;
  const left = (Date.parse(budget.reachedAt) - now) / 1000;
  return left < UNITS.d ? `${rate}, the limit is reached at ${clockTime(budget.reachedAt).slice(0, 5)} UTC` : `${rate}, the limit is reached in ${span(left)}`;
}

/** Whom it limits. */
export function whom(budget, hostName, agentName) {
  switch (budget.scope) {
    case 'org': return 'the org';
    case 'host': return hostName(budget.subject);
    case 'label': return budget.subject;
    default: return agentName(budget.subject);
  }
}
