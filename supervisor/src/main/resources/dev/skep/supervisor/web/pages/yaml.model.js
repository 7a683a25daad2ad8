/** Reads and changes single keys of an agent's file as text: everything else in it stays as it was written. Pure. */
const keyLine = key => new RegExp(`^${key}:(.*)$`, 'm');
const PLAIN = /^[A-Za-z0-9_./][A-Za-z0-9 _./-]*$/;
const OTHER_THAN_TEXT = /^([0-9.]+|true|false|null|yes|no|on|off|~)$/i;

/** As YAML has to have it. */
export const quoted = text => (PLAIN.test(text) && !OTHER_THAN_TEXT.test(text) && !text.endsWith(' ') ? text : JSON.stringify(text));

const unquoted = text => {
  const bare = text.trim();
  if (bare.startsWith('"')) {
    try {
      return JSON.parse(bare.replace(/("(?:[^"\\]|\\.)*").*$/, '$1'));
    } catch {
      return bare;
    }
  }
  if (bare.startsWith("'")) return bare.replace(/^'((?:[^']|'')*)'.*$/, '$1').replaceAll("''", "'");
  return bare.replace(/\s+#.*$/, '');
};

/** Where the lines of a key's value end that stands below the key. */
function blockEnd(text, from) {
  const rest = text.slice(from);
  const next = rest.search(/^(?=[^\s#])/m);
  return next < 0 ? text.length : from + next;
}

const isBlock = value => /^\s*[|>][+-]?\d*\s*(#.*)?$/.test(value);

/** The value of a key, '' if it is not there; a text of several lines without its indentation. */
export function valueOf(text, key) {
  const found = keyLine(key).exec(text);
  if (!found) return '';
  if (!isBlock(found[1])) return unquoted(found[1]);
  const from = found.index + found[0].length + 1;
  const lines = text.slice(from, blockEnd(text, from)).replace(/\n+$/, '').split('\n');
  const indent = Math.min(...lines.filter(line => line.trim()).map(line => line.length - line.trimStart().length));
  return lines.map(line => line.slice(Number.isFinite(indent) ? indent : 0)).join('\n');
}

/** The text with another value for a key; an empty one takes the key out. */
export function withValue(text, key, value) {
  const found = keyLine(key).exec(text);
  const written = value === '' ? '' : value.includes('\n') || key === 'prompt' ? `${key}: |\n${indented(value)}\n` : `${key}: ${quoted(value)}\n`;
  if (!found) return written ? `${text}${text === '' || text.endsWith('\n') ? '' : '\n'}${written}` : text;
  const line = found.index + found[0].length + 1;
  const end = isBlock(found[1]) ? blockEnd(text, line) : Math.min(line, text.length);
  const comment = isBlock(found[1]) || value.includes('\n') ? '' : (/\s+#.*$/.exec(found[1]) ?? [''])[0];
  return text.slice(0, found.index) + (comment && written ? `${written.slice(0, -1)}${comment}\n` : written) + text.slice(end);
}

const indented = text => text.replace(/\n+$/, '').split('\n').map(line => (line ? `  ${line}` : '')).join('\n');

/** What a new agent's file is until somebody changes it. */
export const FIRST = `# What this agent is. docs: agents.md
username: helper
title: Helper
model: claude-haiku-4-5
prompt: |
  You are \${agent.username}, \${agent.title}. Read your mail and do what it asks.
spend_limit: 1.00
# protection: manual
`;

/** Where a line begins and ends, for a cursor. */
export function lineRange(text, line) {
  const lines = text.split('\n'), before = Math.min(text.length, lines.slice(0, Math.max(0, line - 1)).reduce((sum, each) => sum + each.length + 1, 0));
  return [before, before + (lines[line - 1] ?? '').length];
}
