/** An agent's file as people edit it: the text, what is wrong in it with the way there, what differs. */
import {html, nothing} from '../core/lit.js';
import {plural} from '../core/format.js';
import {diffRows} from '../pages/diff.model.js';
import {lineRange} from '../pages/yaml.model.js';

const CLASS = {'+': 'added', '-': 'removed', ' ': 'kept', '…': 'kept'};

/** The text; what is typed is told, and Tab moves on as everywhere. */
export const fileText = ({text, label, readonly = false, typed}) => html`<textarea class="file" id="file" aria-label=${label} spellcheck="false" autocapitalize="off"
  rows=${Math.min(40, Math.max(14, text.split('\n').length + 1))} ?readonly=${readonly} .value=${text} @input=${e => typed?.(e.target.value)}></textarea>`;

/** Each problem is a way to its line. */
export const problemList = problems => (problems.length
  ? html`<div class="problems" role="alert"><b>${plural(problems.length, 'problem')}</b>
      <ul>${problems.map(p => html`<li><button class="quiet" @click=${() => toLine(p.line)}><span class="mono">${p.line}:${p.column}</span> ${p.key ? html`<b>${p.key}</b> ` : nothing}${p.message}</button></li>`)}</ul></div>`
  : nothing);

export function toLine(line) {
  const box = document.getElementById('file');
  if (!box) return;
  const [from, to] = lineRange(box.value, line);
  box.focus();
  box.setSelectionRange(from, to);
  box.scrollTop = Math.max(0, (line - 4) * 20);
}

/** What changed between two texts. */
export function diffView(before, after, label) {
  const rows = diffRows(before, after);
  return html`<div class="filediff" role="group" aria-label=${label} tabindex="0">${rows.length
    ? rows.map(row => html`<span class="r ${CLASS[row.sign]}">${row.sign} ${row.text}</span>`)
    : html`<span class="r kept">  no difference</span>`}</div>`;
}
