/** A log: the end of it live, the rest page by page, only the lines in sight drawn. */
import {html, live, nothing, repeat} from '../core/lit.js';
import {get, inOrg} from '../core/api.js';
import {clockTime, exact, money, plural} from '../core/format.js';
import {LogWindow, matches} from '../core/log-window.js';
import {isNarrow, pageWidth} from '../core/screen.js';
import {empty, pill} from '../ui/bits.js';
import {hostFilter} from '../ui/host-filter.js';
import {Loading, problemState} from '../ui/states.js';
import {LABEL, TYPES, firstLine, offsets, rowAt, splitMatches, wrappedRows} from './log.model.js';
import {rowsOf, stateOf, toolStates, wordsOf} from './log-detail.model.js';
import {sessions} from './sessions.js';

const LINE = 20, PAGE = 500, MOST_ROWS = 400;
/** The width of a character of the log's font, which has one width for all. */
const CHARACTER = 7.2;

class LogView {
  constructor(ctx, filter, {showAgent}) {
    this.ctx = ctx;
    this.filter = filter;
    this.showAgent = showAgent;
    this.window = new LogWindow();
    this.first = new Loading(ctx.invalidate);
    this.older = new Loading(ctx.invalidate);
    this.stick = true;
    /** Where the page last put the end, or a person the page. */
    this.settled = 0;
    /** How far to go down after the next drawing, for lines that were put above. */
    this.moveBy = 0;
    this.top = 0;
    this.height = 800;
    this.width = pageWidth();
    this.match = -1;
    this.load();
  }

  /** How many characters fit beside the margin. */
  get columns() {
    const margin = isNarrow() ? 58 + (this.showAgent ? 64 : 46) + 2 * 6 + 24 : 76 + 58 + 2 * 8 + 40 + (this.showAgent ? 120 : 0);
    return Math.max(20, Math.floor((this.width - margin - 12) / CHARACTER));
  }

  get wrap() {
    return this.ctx.query.wrap === '1';
  }

  load() {
    const linked = this.ctx.query.line;
    this.first.run(async () => {
      const before = linked ? `${linked}~` : '';
      const page = await get(inOrg('/view/history/log'), {...this.filter(), before, limit: PAGE});
      if (linked) {
        const rest = await get(inOrg('/view/history/log'), {...this.filter(), after: page.lines.at(-1)?.id ?? '0', limit: PAGE});
        this.window.load(page, rest.lines.length < PAGE);
        this.window.append(rest.lines);
        this.stick = false;
        this.jumpTo = linked;
      } else {
        this.window.load(page);
        this.stick = true;
      }
      this.follow();
      return true;
    });
  }

  follow() {
    this.ctx.live.follow({
      kind: 'agents',
      filter: this.filter(),
      line: () => this.window.lastId || '0',
      arrived: lines => this.arrived(lines),
    });
  }

  arrived(lines) {
    const {removed} = this.window.arrive(lines);
    if (removed && !this.stick) this.shift(-removed);
  }

  /** Keeps what is read in its place when lines are added or removed above it. */
  shift(rows) {
    const box = document.querySelector('.log');
    if (box) box.scrollTop = Math.max(0, box.scrollTop + rows * LINE);
  }

  loadOlder() {
    if (this.older.busy || !this.window.hasBefore) return;
    this.older.run(async () => {
      const page = await get(inOrg('/view/history/log'), {...this.filter(), before: this.window.firstId, limit: PAGE});
      const added = this.window.prepend(page);
      // By what was put above, not by how much longer it became: a full window lets go of as much below.
      const grown = offsets(this.window.lines.slice(0, added), l => this.rowHeight(l)).at(-1);
      if (grown > 0) {
        // Only once the longer page is drawn: before that the browser stops at the old end.
        this.moveBy += grown;
        this.top += grown;
      }
      return page;
    });
  }

  async toEnd() {
    this.stick = true;
    if (this.window.paused) this.window.resume();
    if (!this.window.atEnd) {
      this.ctx.setQuery({line: ''}, true);
      this.load();
    }
    this.ctx.invalidate();
  }

  togglePause() {
    if (this.window.paused) {
      this.window.resume();
      if (!this.window.atEnd) this.load();
    } else {
      this.window.paused = true;
    }
  }

  rowHeight(line) {
    const rows = rowsOf(line);
    if (!rows) return this.wrap ? LINE * Math.min(MOST_ROWS, wrappedRows((line.type === 'tool_call' ? 'completed ' : '') + line.message, this.columns)) : LINE;
    return LINE * (this.wrap ? Math.min(MOST_ROWS, rows.reduce((sum, row) => sum + wrappedRows(row.text, this.columns), 0)) : rows.length);
  }

  /** How the uses of tools stand, counted anew only when lines came or went. */
  get states() {
    if (this.counted !== this.window.lines) {
      this.counted = this.window.lines;
      this.known = toolStates(this.counted);
    }
    return this.known;
  }

  find(step) {
    const found = matches(this.window.lines, this.ctx.query.find ?? '', wordsOf);
    if (!found.length) return;
    this.match = (this.match + step + found.length) % found.length;
    this.scrollToRow(found[this.match]);
  }

  scrollToRow(row) {
    const box = document.querySelector('.log');
    if (!box || !this.tops) return;
    this.stick = false;
    box.scrollTop = Math.max(0, this.tops[row] - box.clientHeight / 3);
    this.ctx.invalidate();
  }

  scrolled(box) {
    this.top = box.scrollTop;
    this.settled = box.scrollTop;
    this.height = box.clientHeight;
    this.width = box.clientWidth;
    this.stick = box.scrollHeight - box.scrollTop - box.clientHeight < LINE;
    if (box.scrollTop < 600) this.loadOlder();
    this.ctx.invalidate();
  }

  /** After drawing: stays at the end if it was there, goes to a linked line once. */
  settle() {
    const box = document.querySelector('.log');
    if (!box) return;
    if (box !== this.box) {
      // Another box, after a search without hits say: it begins at its top, whatever was seen of the one before.
      this.box = box;
      this.settled = 0;
      if (this.top !== box.scrollTop) {
        this.top = box.scrollTop;
        this.ctx.invalidate();
      }
    }
    if (box.clientWidth !== this.width || box.clientHeight !== this.height) {
      this.width = box.clientWidth;
      this.height = box.clientHeight;
      this.ctx.invalidate();
    }
    if (this.moveBy) {
      box.scrollTop += this.moveBy;
      this.settled = box.scrollTop;
      this.moveBy = 0;
    } else if (this.jumpTo) {
      const row = this.window.lines.findIndex(line => line.id === this.jumpTo);
      this.jumpTo = '';
      if (row >= 0) this.scrollToRow(row);
    } else if (this.stick && !this.window.paused && box.scrollTop + box.clientHeight < box.scrollHeight - 1) {
      // Whoever has just scrolled up is not thrown back; the event that says so is on its way.
      if (box.scrollTop < this.settled - LINE) return;
      box.scrollTop = box.scrollHeight;
      this.settled = box.scrollTop;
    }
  }

  view() {
    return this.first.show(() => this.lines(), () => this.load());
  }

  lines() {
    const {lines} = this.window, ctx = this.ctx;
    if (!lines.length) return html`<div class="body">${this.nothingThere()}</div>`;
    this.tops = offsets(lines, line => this.rowHeight(line));
    const total = this.tops.at(-1);
    const from = Math.max(0, rowAt(this.tops, this.top) - 10), to = Math.min(lines.length, rowAt(this.tops, this.top + this.height) + 12);
    queueMicrotask(() => this.settle());
    return html`<div class="log ${this.wrap ? 'wrap' : ''}" role="log" aria-label="Log lines" aria-live="off" tabindex="0" @scroll=${e => this.scrolled(e.target)}>
        <div class="rail" .style=${`height:${total}px`}><div class="lines" .style=${`transform:translateY(${this.tops[from]}px)`}>
          ${repeat(lines.slice(from, to), line => line.id, line => this.line(line))}</div></div></div>
      ${this.stick && this.window.atEnd ? nothing : html`<button class="to-end" @click=${() => this.toEnd()}>${this.window.waiting ? `${plural(this.window.waiting, 'new line')} ↓` : 'To the end ↓'}</button>`}`;
  }

  nothingThere() {
    const {q, type, host} = this.ctx.query;
    if (q || type || host) return empty('No line matches.', html`<button @click=${() => this.ctx.setQuery({q: '', type: '', host: ''})}>Clear the filter</button>`);
    return empty('No line was written yet.', html`An agent that runs writes here, line by line. See the <a class="link" href="/agents">agents</a>.`);
  }

  line(line) {
    const ctx = this.ctx, rows = rowsOf(line);
    const here = `${location.pathname}?${new URLSearchParams({...ctx.query, line: line.id})}`;
    return html`<div class="line ${line.type} ${line.id === ctx.query.line ? 'linked' : ''}" .style=${this.wrap || rows ? `height:${this.rowHeight(line)}px` : ''}>
      <a class="at" href=${here} title="${exact(line.at)}, link to this line">${clockTime(line.at)}</a>
      ${this.showAgent ? html`<a class="who cut" href=${`/sessions/${line.agent}/${line.run}/${line.session}`} title="${line.agentName}@${line.hostName}">${line.agentName}</a>` : nothing}
      <span class="what">${LABEL[line.type] ?? line.type}</span>${rows ? html`<span class="text rows">${rows.map(row => html`<span class="r ${row.look}">${this.marked(row.text)}</span>`)}</span>` : this.message(line)}</div>`;
  }

  message(line) {
    const short = firstLine(line.message), state = stateOf(line, this.states);
    return html`<span class="text" title=${this.wrap ? nothing : line.message.slice(0, 500)}>${state ? html`<span class="state ${state}">${state}</span> ` : nothing}${line.message ? this.marked(this.wrap ? line.message : short.text) : html`<span class="dim">(no words)</span>`}${!this.wrap && short.more ? html`<span class="dim"> +${plural(short.more, 'line')}</span>` : nothing}</span>`;
  }

  /** What is looked for is marked; a text of another host is a text, never markup. */
  marked(text) {
    return splitMatches(text, this.ctx.query.find ?? this.ctx.query.q ?? '').map((part, i) => (i % 2 ? html`<mark>${part}</mark>` : part));
  }

  bar(extra = nothing) {
    const ctx = this.ctx, found = ctx.query.find ? matches(this.window.lines, ctx.query.find, wordsOf).length : 0;
    return html`<div class="bar">${extra}
      <input type="search" placeholder="Find in the loaded lines" aria-label="Find in the loaded lines" .value=${live(ctx.query.find ?? '')}
        @input=${e => { this.match = -1; ctx.setQuery({find: e.target.value}, true); }} @keydown=${e => { if (e.key === 'Enter') this.find(e.shiftKey ? -1 : 1); }}>
      ${ctx.query.find ? html`<span class="soft" role="status">${plural(found, 'match', 'matches')}</span>` : nothing}
      <select aria-label="Filter by kind" @change=${e => { ctx.setQuery({type: e.target.value}); }}>
        <option value="" ?selected=${!ctx.query.type}>All kinds</option>
        ${TYPES.map(t => html`<option value=${t} ?selected=${ctx.query.type === t}>${LABEL[t] === t ? t : `${LABEL[t]} (${t})`}</option>`)}</select>
      <button aria-pressed=${this.wrap ? 'true' : 'false'} @click=${() => ctx.setQuery({wrap: this.wrap ? '' : '1'}, true)}>Wrap<kbd>w</kbd></button></div>`;
  }

  page(extra) {
    const keysOf = () => JSON.stringify(this.filter());
    let asked = keysOf();
    return {
      keys: [
        {keys: '/', label: 'Find', group: 'Log', run: () => document.querySelector('.bar input[type=search]')?.focus()},
        {keys: 'n', label: 'Next match', group: 'Log', run: () => this.find(1)},
        {keys: 'w', label: 'Wrap long lines', group: 'Log', run: () => this.ctx.setQuery({wrap: this.wrap ? '' : '1'}, true)},
        {keys: 'G', label: 'To the end', group: 'Log', run: () => this.toEnd()},
      ],
      togglePause: () => this.togglePause(),
      paused: () => this.window.paused,
      waiting: () => this.window.waiting,
      close: () => { this.ctx.live.log = null; },
      queryChanged: () => {
        if (keysOf() !== asked) {
          asked = keysOf();
          this.load();
        }
      },
      view: () => html`${this.bar(extra?.())}${this.view()}`,
    };
  }
}

/** One session's log. */
export const session = {
  path: '/sessions/:agent/:run/:session',
  title: 'Session',
  parent: sessions,
  topics: ['sessions'],
  open(ctx) {
    const {agent, run, session: number} = ctx.params;
    const view = new LogView(ctx, () => ({agent, run, session: number, type: ctx.query.type}), {showAgent: false});
    const detail = new Loading(ctx.invalidate);
    detail.run(() => get(inOrg(`/view/history/sessions/${encodeURIComponent(agent)}/${run}/${number}`)));
    const current = () => ctx.live.rows('sessions').get(`${agent}.${run}.${number}`) ?? detail.value;
    const page = view.page(() => {
      const s = current();
      return s ? html`${pill(s.state, s.endedReason ? `ended, ${s.endedReason.replaceAll('_', ' ')}` : s.state)}
        <span class="soft">${s.model ?? ''}</span><span class="soft">${plural(Math.max(s.lines, view.window.lines.length), 'line')}</span><span class="soft">${money(s.cost)}</span>` : nothing;
    });
    const lines = page.view;
    page.view = () => (detail.problem?.status === 404 && !current() && !view.window.lines.length ? html`<div class="body">${problemState(detail.problem)}</div>` : lines());
    page.title = () => (current() ? html`<span class="mono"><a href=${`/agents/${encodeURIComponent(agent)}`}>${current().agentName}</a><span class="soft"> session ${number}</span></span>` : 'Session');
    return page;
  },
};

/** All logs, of one host or of all. */
export const logs = {
  path: '/logs',
  title: 'Logs',
  topics: [],
  open(ctx) {
    const view = new LogView(ctx, () => ({host: ctx.query.host, agent: ctx.query.agent, q: ctx.query.q, type: ctx.query.type}), {showAgent: true});
    let typed;
    return view.page(() => html`${hostFilter(ctx)}
      <input type="search" class="server" placeholder="Only lines with…" aria-label="Only lines with this text" .value=${live(ctx.query.q ?? '')}
        @input=${e => { clearTimeout(typed); const q = e.target.value; typed = setTimeout(() => ctx.setQuery({q}, true), 250); }}>`);
  },
};

