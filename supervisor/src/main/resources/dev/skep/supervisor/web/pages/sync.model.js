/** What a link is doing right now. Pure. */
import {span} from '../core/format.js';

/** A host is asked for one page at a time, a hub told that there is one; whoever lets us wait is shown with how long. */
export function inFlight(link, now) {
  if (link.state === 'away') return '–';
  if (!link.askedAt) return '0';
  const seconds = Math.floor((now - Date.parse(link.askedAt)) / 1000);
  return seconds < 1 ? '1' : `1 for ${span(seconds)}`;
}
