/** Which columns of a table there is room for. Pure. */

/** What a column without a width needs at least, in pixels. */
const LEAST = 120;

const has = (column, word) => (column.cls ?? '').split(' ').includes(word);
const need = columns => columns.reduce((sum, c) => sum + (c.width || LEAST), 0);

/** As on a phone: only what must be there, each as narrow as it may be. */
export const narrowed = columns => columns.filter(c => !has(c, 'wide')).map(c => ({...c, width: c.narrow ?? c.width}));

/**
 * Those that must be there, then what can be done with a row, then the others from the left, as long as there is room: a
 * column that has none would leave none to the name.
 */
export function fitting(columns, room) {
  if (need(columns) <= room) return columns;
  const chosen = new Set(columns.filter(c => !has(c, 'wide')));
  if (need([...chosen]) > room) return narrowed(columns);
  const others = columns.filter(c => !chosen.has(c));
  for (const column of [...others.filter(c => has(c, 'acts')), ...others.filter(c => !has(c, 'acts'))]) {
    if (need([...chosen, column]) <= room) chosen.add(column);
  }
  return columns.filter(c => chosen.has(c));
}
