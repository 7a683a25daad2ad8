/** What the card of a command says once it is decided, and which cards a page shows. Pure. */
import {exact} from '../core/format.js';
import {fileRows} from './log-detail.model.js';

const LATELY = 24 * 3600e3;

export const waits = card => card.decision === 'pending';

/** "approved by operator anna (through main) at 2026-11-15 14:03:27 UTC". */
export function decided(card) {
  if (!card.decidedBy) return `denied at ${exact(card.decidedAt)}: nobody decided in time`;
  const through = card.decidedThrough ? ` (through ${card.decidedThrough})` : '';
  return `${card.decision} by ${card.decidedBy}${through} at ${exact(card.decidedAt)}${card.always ? ', always from now on' : ''}${card.reason ? `: ${card.reason}` : ''}`;
}

/** What a card shows over its buttons: the head where a runtime gave more than a command, the command unless the head says it, the diff. */
export function shownOf(card) {
  const rows = (card.diff ?? []).flatMap(fileRows);
  const path = card.path && card.path !== card.title && !rows.length ? card.path : '';
  const title = card.title && card.title !== card.command ? card.title : '';
  return {kind: card.kind ?? '', title, path, command: card.command === card.path && (rows.length || path) ? '' : card.command, rows};
}

/** Those decided within a day, the newest first. */
export const decidedLately = (cards, now, atMost) => decidedFirst(cards.filter(c => !waits(c) && now - Date.parse(c.decidedAt) < LATELY)).slice(0, atMost);

const decidedFirst = cards => cards.sort((a, b) => (a.decidedAt < b.decidedAt ? 1 : -1));

/** Those that wait before those that were decided, of which the newest first. */
export const waitingFirst = cards => [...cards.filter(waits), ...decidedFirst(cards.filter(c => !waits(c)))];
