/** What a link is doing right now. Pure. */
import {span} from '../core/format.js';

/** A host is asked for one page at a time, a hub told that there is one; whoever lets us wait is shown with how long. */
export function inFlight(link, now) {
  if (link.state === 'away' || link.state === 'unknown') return '–';
  if (!link.askedAt) return '0';
  const seconds = Math.floor((now - Date.parse(link.askedAt)) / 1000);
  return seconds < 1 ? '1' : `1 for ${span(seconds)}`;
}

/** How long rows have waited; none if none does. */
export function behind(link, now) {
  if (link.behindSince) return span(Math.max(0, now - Date.parse(link.behindSince)) / 1000);
  return link.lagRows === 0 ? '0 s' : '–';
}

/** A runner without a link knows what its hub last said to have; it may have stored more. */
export const atMost = link => link.role === 'hub' && link.state === 'away';
