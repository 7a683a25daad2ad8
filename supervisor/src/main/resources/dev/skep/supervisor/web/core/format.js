/** Values as people read them. Pure. */

const MINUTE = 60, HOUR = 3600, DAY = 86400;

/** "5 min ago", by the given clock; a time in the future counts as now. */
export function ago(iso, now) {
  if (!iso) return '–';
  const seconds = Math.max(0, Math.round((now - Date.parse(iso)) / 1000));
  if (seconds < 5) return 'just now';
  return `${span(seconds)} ago`;
}

/** The largest unit that fits: "42 s", "5 min", "3 h", "12 d". */
export function span(seconds) {
  if (seconds < MINUTE) return `${Math.floor(seconds)} s`;
  if (seconds < HOUR) return `${Math.floor(seconds / MINUTE)} min`;
  if (seconds < DAY) return `${Math.floor(seconds / HOUR)} h`;
  return `${Math.floor(seconds / DAY)} d`;
}

/** How long something took or has been going: two units, "2 min 5 s", or one if the other is none. */
export function lasted(from, to) {
  if (!from) return '–';
  const ms = Math.max(0, (typeof to === 'number' ? to : Date.parse(to)) - Date.parse(from));
  if (ms < 1000) return `${ms} ms`;
  const s = Math.floor(ms / 1000);
  if (s < MINUTE) return `${s} s`;
  const [large, small] = s < HOUR ? [MINUTE, 1] : s < DAY ? [HOUR, MINUTE] : [DAY, HOUR];
  const rest = Math.floor(s % large / small) * small;
  return rest ? `${span(s)} ${span(rest)}` : span(s);
}

/** Micro-dollars: cents below ten dollars, tenths of a cent below one cent. */
export function money(micros) {
  if (micros === null || micros === undefined) return '–';
  const dollars = micros / 1e6;
  if (dollars === 0) return '$0';
  if (Math.abs(dollars) < 0.01) return `$${dollars.toFixed(4)}`;
  if (Math.abs(dollars) < 1000) return `$${dollars.toFixed(2)}`;
  return `$${Math.round(dollars).toLocaleString('en')}`;
}

export function count(n) {
  return n === null || n === undefined ? '–' : n.toLocaleString('en');
}

/** 1,234 → "1.2 k"; for places with little room. */
export function shortCount(n) {
  if (n < 1000) return String(n);
  if (n < 1e6) return `${(n / 1e3).toFixed(n < 1e4 ? 1 : 0)} k`;
  return `${(n / 1e6).toFixed(n < 1e7 ? 1 : 0)} M`;
}

/** "1 agent", "3 agents". */
export function plural(n, one, many = `${one}s`) {
  return `${count(n)} ${n === 1 ? one : many}`;
}

/** awaiting_approval → "awaiting approval". */
export const words = text => (text ?? '').replaceAll('_', ' ');

/** The end of a long id, enough to tell it from its neighbours. */
export const shortId = id => (id && id.length > 12 ? `…${id.slice(-6)}` : id ?? '');

/** "14:03:27" in UTC, as everything the servers write. */
export const clockTime = iso => (iso ? iso.slice(11, 19) : '');

/** "2026-11-15 14:03:27 UTC". */
export const exact = iso => (iso ? `${iso.slice(0, 10)} ${iso.slice(11, 19)} UTC` : '');

/** Percents as the path of a line 92 wide and 20 high. */
export function sparkPath(values) {
  if (values.length < 2) return '';
  const step = 92 / (values.length - 1);
  return 'M' + values.map((v, i) => `${(i * step).toFixed(1)} ${(18 - clamp(v) * .16).toFixed(1)}`).join('L');
}

export const clamp = v => Math.max(0, Math.min(100, v));
