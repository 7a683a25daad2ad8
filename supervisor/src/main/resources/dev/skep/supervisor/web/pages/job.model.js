/** Runs of a job in words. Pure. */

/** {"exitStatus":0} → "exit status 0"; what is no object stays as it is. */
export function resultText(json) {
  try {
    const value = JSON.parse(json);
    if (value === null || typeof value !== 'object' || Array.isArray(value)) return json;
    return Object.entries(value).map(([name, of]) => `${name.replaceAll(/[A-Z]/g, c => ` ${c.toLowerCase()}`)} ${typeof of === 'object' ? JSON.stringify(of) : of}`).join(', ');
  } catch {
    return json;
  }
}
