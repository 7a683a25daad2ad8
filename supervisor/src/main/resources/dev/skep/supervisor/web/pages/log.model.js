/** Log lines as they are drawn. Pure. */

/** What a line is called in the margin. */
export const LABEL = {
  instructions: 'prompt', prompt: 'prompt', talk: 'talk', reply: 'says', command: 'runs', output: 'out', summary: 'summary', notice: 'notice', decision: 'decided', error: 'error',
  thought: 'thinks', tool_call: 'uses', tool_result: 'result', plan: 'plan', turn_end: 'turn',
};

export const TYPES = ['reply', 'command', 'output', 'talk', 'notice', 'decision', 'error', 'summary', 'thought', 'tool_call', 'tool_result', 'plan', 'turn_end', 'prompt', 'instructions'];

/** Splits a text at each match, so that matches can be marked: text, match, text, match, … */
export function splitMatches(text, wanted) {
  const needle = wanted.trim().toLowerCase();
  if (!needle) return [text];
  const parts = [];
  const low = text.toLowerCase();
  let from = 0;
  for (let at = low.indexOf(needle); at >= 0; at = low.indexOf(needle, from)) {
    parts.push(text.slice(from, at), text.slice(at, at + needle.length));
    from = at + needle.length;
  }
  parts.push(text.slice(from));
  return parts;
}

/** The first line of a message, and how many follow. */
export function firstLine(message) {
  const text = message.endsWith('\n') ? message.slice(0, -1) : message;
  const end = text.indexOf('\n');
  if (end < 0) return {text, more: 0};
  let more = 0;
  for (let at = end; at >= 0; at = text.indexOf('\n', at + 1)) more++;
  return {text: text.slice(0, end), more};
}

/** How many rows a message takes where lines break after so many characters; wide ones count twice. */
export function wrappedRows(message, columns) {
  let rows = 0;
  for (const line of message.split('\n')) {
    let width = line.length;
    for (let i = 0; i < line.length; i++) if (line.charCodeAt(i) >= 0x2e80) width++;
    rows += Math.max(1, Math.ceil(width / columns));
  }
  return rows;
}

/** The tops of rows of different heights, and the height of all. */
export function offsets(lines, rowHeight) {
  const tops = new Float64Array(lines.length + 1);
  for (let i = 0; i < lines.length; i++) tops[i + 1] = tops[i] + rowHeight(lines[i]);
  return tops;
}

/** The first row whose bottom is below a height. */
export function rowAt(tops, y) {
  let low = 0, high = tops.length - 2;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (tops[middle + 1] <= y) low = middle + 1;
    else high = middle;
  }
  return Math.max(0, low);
}
