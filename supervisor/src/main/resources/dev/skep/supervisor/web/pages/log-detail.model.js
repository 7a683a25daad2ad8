/**
 * What a line of a log has beside its message: diffs, a plan, how the use of a tool stands. It was written by a program on another host, so it is
 * data: whatever does not have the expected shape is left out. Pure.
 */
import {diffRows} from './diff.model.js';

const MOST_ROWS = 200, MOST_FILES = 50;
const known = new WeakMap();

const text = value => (typeof value === 'string' ? value : '');
const list = value => (Array.isArray(value) ? value.filter(each => each && typeof each === 'object') : []);
const said = (line, name) => text(line.detail?.[name]);

/** Rows to draw instead of the message, each a text and a look; null where the message is all. */
export function rowsOf(line) {
  if (!line.detail || typeof line.detail !== 'object') return null;
  if (!known.has(line)) known.set(line, made(line));
  return known.get(line);
}

function made(line) {
  switch (line.type) {
    case 'output': case 'tool_result': return result(line);
    case 'plan': return plan(line);
    case 'turn_end': return [turnEnd(line)];
    case 'decision': return [{text: line.message + decision(line), look: ''}];
    default: return null;
  }
}

function result(line) {
  const diffs = list(line.detail.diffs);
  if (!diffs.length) return null;
  return bounded([...(line.message ? line.message.trimEnd().split('\n').map(each => ({text: each, look: ''})) : []), ...diffs.slice(0, MOST_FILES).flatMap(fileRows)]);
}

/** A file, and the rows of what changed in it. */
export function fileRows(diff) {
  const rows = diffRows(text(diff.oldText), text(diff.newText));
  const count = sign => rows.filter(row => row.sign === sign).length;
  return [{text: `${text(diff.path)}  +${count('+')} −${count('-')}`, look: 'file'}, ...rows.map(row => ({text: row.sign + row.text, look: LOOKS[row.sign] ?? 'kept'}))];
}

const LOOKS = {'+': 'added', '-': 'removed'};

function bounded(rows) {
  return rows.length <= MOST_ROWS ? rows : [...rows.slice(0, MOST_ROWS), {text: `… ${rows.length - MOST_ROWS} more lines`, look: 'kept'}];
}

const MARKS = {completed: '☑', in_progress: '◐', pending: '☐'};

function plan(line) {
  const steps = list(line.detail.entries);
  return steps.length ? bounded(steps.map(step => ({text: `${MARKS[step.status] ?? '☐'} ${text(step.content)}`, look: step.status === 'completed' ? 'done' : step.status === 'in_progress' ? 'now' : ''}))) : null;
}

function turnEnd(line) {
  const reason = said(line, 'stopReason'), why = said(line, 'why');
  if (!reason || reason === 'end_turn') return {text: 'the turn ended', look: 'kept'};
  return {text: `the turn ended: ${reason.replaceAll('_', ' ')}${why ? `: ${why}` : ''}`, look: 'trouble'};
}

function decision(line) {
  const reason = said(line, 'reason');
  return `${line.detail.always === true ? ', always from now on' : ''}${reason ? `: ${reason}` : ''}`;
}

const RESULTS = ['completed', 'failed', 'cancelled', 'unknown'];

/**
 * How each use of a tool stands, by session and id: as its result says; without one it runs, or nobody knows if its turn is over.
 */
export function toolStates(lines) {
  const states = new Map(), open = new Map();
  for (const line of lines) {
    const session = `${line.agent}.${line.run}.${line.session}`;
    const id = said(line, 'toolCallId');
    if (line.type === 'tool_call' && id) {
      states.set(`${session}.${id}`, 'running');
      open.set(session, [...open.get(session) ?? [], id]);
    } else if (line.type === 'tool_result' && id) {
      const status = said(line, 'status');
      states.set(`${session}.${id}`, RESULTS.includes(status) ? status : 'unknown');
    } else if (line.type === 'turn_end') {
      for (const each of open.get(session) ?? []) if (states.get(`${session}.${each}`) === 'running') states.set(`${session}.${each}`, 'unknown');
      open.delete(session);
    }
  }
  return states;
}

/** How the use of a tool stands that a line begins; nothing for other lines. */
export function stateOf(line, states) {
  const id = line.type === 'tool_call' ? said(line, 'toolCallId') : '';
  return id ? states.get(`${line.agent}.${line.run}.${line.session}.${id}`) ?? '' : '';
}

/** What is looked through for a text: the message, and what is drawn of the detail. */
export const wordsOf = line => {
  const rows = rowsOf(line);
  return rows ? rows.map(row => row.text).join('\n') : line.message;
};
