/** A length of time as people write it: in the largest unit that gives a whole number. */
export const time = s => (s % 3600 === 0 ? `${s / 3600}h` : s % 60 === 0 ? `${s / 60}m` : `${s}s`);

const UNITS = {s: 1, m: 60, h: 3600};

/** The seconds of it; null if empty. What is no length of time is refused in words for people. */
export function seconds(text) {
  const word = text.trim();
  if (!word) return null;
  const [, count, unit] = /^(\d{1,6})\s*([smh]?)$/.exec(word) ?? [];
  if (!count) throw new Error(`“${word}” is not a length of time; write for example 90s, 15m or 2h`);
  return Number(count) * (UNITS[unit] ?? 1);
}
