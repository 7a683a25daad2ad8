/** Costs as stacked bars. Pure. */
export const SERIES = 5;

/** Every hour or day from the first to the last, whether money was spent in it or not. */
export function timeline(since, until, unit) {
  const step = unit === 'hour' ? 3_600_000 : 86_400_000, length = unit === 'hour' ? 13 : 10;
  const keys = [];
  for (let t = Date.parse(since); t < Date.parse(until); t += step) keys.push(new Date(t).toISOString().slice(0, length));
  return keys;
}

/** The dearest groups each for itself, all others together; a stack for each hour or day. */
export function stack(series, unit, most = SERIES) {
  const totals = new Map();
  for (const b of series.buckets) {
    const t = totals.get(b.group) ?? {group: b.group, micros: 0, calls: 0, input: 0, output: 0, cache: 0};
    t.micros += b.micros;
    t.calls += b.calls;
    t.input += b.inputTokens;
    t.output += b.outputTokens;
    t.cache += b.cacheTokens;
    totals.set(b.group, t);
  }
  const ranked = [...totals.values()].sort((a, b) => b.micros - a.micros || (a.group < b.group ? -1 : 1));
  const own = new Map(ranked.slice(0, most).map((t, i) => [t.group, i]));
  const rest = ranked.length > most ? most : -1;
  const keys = timeline(series.since, series.until, unit);
  const place = new Map(keys.map((key, i) => [key, i]));
  const width = own.size + (rest >= 0 ? 1 : 0);
  const bars = keys.map(key => ({key, parts: new Array(width).fill(0), micros: 0}));
  for (const b of series.buckets) {
    const bar = bars[place.get(b.bucket)];
    if (!bar) continue;
    bar.parts[own.get(b.group) ?? rest] += b.micros;
    bar.micros += b.micros;
  }
  const total = ranked.reduce((sum, t) => sum + t.micros, 0);
  return {bars, ranked, own, rest, total, highest: Math.max(0, ...bars.map(b => b.micros))};
}

/** A round number at or above a value, for the top of an axis. */
export function niceTop(value) {
  if (value <= 0) return 1;
  const power = 10 ** Math.floor(Math.log10(value));
  for (const factor of [1, 2, 2.5, 5, 10]) if (factor * power >= value) return factor * power;
  return 10 * power;
}

/** The top of the axis. A limit far above all that was spent is told in words only: beside it no bar would be seen. */
export function axis(highest, limit) {
  const near = limit && limit <= highest * 4 ? limit : 0;
  return {top: niceTop(Math.max(highest, near) / 1e6) * 1e6, near};
}

/** "15 Nov" or "15 Nov 08:00". */
export function bucketLabel(key) {
  const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
  const day = `${Number(key.slice(8, 10))} ${months[Number(key.slice(5, 7)) - 1]}`;
  return key.length > 10 ? `${day} ${key.slice(11, 13)}:00` : day;
}
