/** Audit entries as text. Pure. */

/** One cell of a CSV file; what a spreadsheet would take for a formula is kept a text. */
export function csvCell(value) {
  let text = String(value ?? '');
  if (/^[=+\-@\t\r]/.test(text)) text = `'${text}`;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

export function csv(entries) {
  const head = ['at', 'actor', 'action', 'target', 'from', 'detail'];
  return [head, ...entries.map(e => head.map(name => e[name]))].map(row => row.map(csvCell).join(',')).join('\r\n') + '\r\n';
}

/** {"with":"password"} → "with password". */
export function detailText(json) {
  try {
    return Object.entries(JSON.parse(json)).map(([k, v]) => `${k.replaceAll('_', ' ')} ${v}`).join(', ');
  } catch {
    return json;
  }
}

/** A text with names where it has ids; ids that nobody knows are told by their ends: "job …NJCC9F". */
export const shortIds = (text, nameOf = id => id) => text
  .replaceAll(/:?\b[0-9A-HJKMNP-TV-Z]{26}\b/g, found => {
    const id = found.replace(':', ''), name = nameOf(id);
    return (found === id ? '' : ' ') + (name === id ? `…${id.slice(-6)}` : name);
  });
