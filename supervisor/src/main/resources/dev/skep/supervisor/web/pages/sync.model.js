/** What a link is doing right now. Pure. */
import {count, span} from '../core/format.js';

/** A host is asked for one page at a time, a hub told that there is one; whoever lets us wait is shown with how long. */
export function inFlight(link, now) {
  if (link.state === 'away' || link.state === 'unknown') return '–';
  if (!link.askedAt) return '0';
  const seconds = Math.floor((now - Date.parse(link.askedAt)) / 1000);
  return seconds < 1 ? '1' : `1 for ${span(seconds)}`;
}

/** What is quicker is usual. */
const STILL = 5;

/** For how long nothing of what is under way has moved, said once that is unusual. */
export function stuck(link, now) {
  if (!link.askedAt || link.state === 'away' || link.state === 'unknown') return '';
  const moved = Math.max(Date.parse(link.askedAt), link.movedAt ? Date.parse(link.movedAt) : 0);
  const seconds = Math.floor((now - moved) / 1000);
  return seconds < STILL ? '' : `no progress for ${span(seconds)}`;
}

/** Rows that wait; of a host that is not there nobody knows, and since when not is said. */
export function rowsBehind(link, now) {
  if (link.lagRows === null && link.unknownSince) return `unknown for ${span(Math.max(0, now - Date.parse(link.unknownSince)) / 1000)}`;
  if (link.lagRows && atMost(link)) return `≤ ${count(link.lagRows)}`;
  return link.lagRows ?? null;
}

/** How long rows have waited; none if none does. */
export function behind(link, now) {
  if (link.behindSince) return span(Math.max(0, now - Date.parse(link.behindSince)) / 1000);
  return link.lagRows === 0 ? '0 s' : '–';
}

/** A runner without a link knows what its hub last said to have; it may have stored more. */
export const atMost = link => link.role === 'hub' && link.state === 'away';
