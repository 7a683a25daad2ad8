/** Filtering, counting and sorting rows. Pure. */

/**
 * @typedef {object} ListSpec
 * @property {(row: any) => string} status what the counts in the header count
 * @property {(row: any) => string} text what the search looks in, lower case
 * @property {Record<string, (row: any) => any>} keys what each column sorts by
 * @property {string} sort the column that comes first without being asked for
 */

/** @typedef {{q?: string, status?: string, sort?: string, desc?: string}} ListQuery */

/**
 * The rows to show and how many there are of each status. Statuses are counted before the status
 * filter and after the others, so that each count says what choosing it would show.
 */
export function selectRows(rows, query, spec, keep = () => true) {
  const wanted = (query.q ?? '').toLowerCase().split(/\s+/).filter(Boolean);
  const counts = {};
  const shown = [];
  let total = 0;
  for (const row of rows) {
    if (!keep(row)) continue;
    if (wanted.length) {
      const text = spec.text(row);
      if (!wanted.every(word => text.includes(word))) continue;
    }
    const status = spec.status(row);
    total++;
    counts[status] = (counts[status] ?? 0) + 1;
    if (!query.status || query.status === status) shown.push(row);
  }
  const sort = spec.keys[query.sort] ? query.sort : spec.sort;
  const descending = query.sort ? query.desc === '1' : spec.desc === true;
  shown.sort(comparing(spec.keys[sort], descending));
  return {rows: shown, counts, total, sort, descending};
}

/** Empty values come last in either direction; equal ones in the order of their ids. */
export function comparing(key, descending) {
  const direction = descending ? -1 : 1;
  return (a, b) => {
    const x = key(a), y = key(b);
    const noX = x === null || x === undefined, noY = y === null || y === undefined;
    if (noX !== noY) return noX ? 1 : -1;
    if (!noX && x < y) return -direction;
    if (!noX && x > y) return direction;
    return a.id < b.id ? -1 : a.id > b.id ? 1 : 0;
  };
}

/** Rows in an order that was frozen; rows that were not there then come at the end. */
export function inFrozenOrder(rows, frozen) {
  if (!frozen) return rows;
  const place = new Map(frozen.map((id, i) => [id, i]));
  return [...rows].sort((a, b) => (place.get(a.id) ?? Infinity) - (place.get(b.id) ?? Infinity) || 0);
}

/** Which rows a window of this height shows, with some to spare on either side. */
export function visibleRange(length, rowHeight, top, height, spare = 8) {
  const first = Math.max(0, Math.min(length, Math.floor(top / rowHeight)) - spare);
  const last = Math.min(length, Math.ceil((top + height) / rowHeight) + spare);
  return {first, last};
}
