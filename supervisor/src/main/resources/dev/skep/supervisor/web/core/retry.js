/** When to try a lost connection again. Pure. */
const WAITS = [1, 2, 4, 8, 15];

/** Seconds to wait after this many failures in a row. */
export const waitAfter = failures => WAITS[Math.min(failures, WAITS.length) - 1] ?? 0;

/** The smaller of two places of a stream; null if they are of different processes. */
export function earlierPlace(a, b) {
  if (!a || !b) return a || b;
  const [processA, numberA] = a.split('.'), [processB, numberB] = b.split('.');
  if (processA !== processB) return null;
  return Number(numberA) <= Number(numberB) ? a : b;
}
