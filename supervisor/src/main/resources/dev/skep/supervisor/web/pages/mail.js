/** Two panes: messages, and the one that is chosen, with who read it where. */
import {html, live, nothing, repeat} from '../core/lit.js';
import {get, inOrg} from '../core/api.js';
import {markRead, sendMail} from '../core/actions.js';
import {ask} from '../ui/dialog.js';
import {empty, stamp, when} from '../ui/bits.js';
import {hostFilter} from '../ui/host-filter.js';
import {Loading, moreButton} from '../ui/states.js';
import {answerTo, names, readState, unreadBy} from './mail.model.js';

const FILTERS = ['host', 'agent', 'q', 'state'];

class MailPage {
  constructor(ctx) {
    this.ctx = ctx;
    this.list = new Loading(ctx.invalidate);
    this.open = new Loading(ctx.invalidate);
    this.rows = new Map();
    this.next = null;
    this.shown = '';
    this.mine = new Loading(ctx.invalidate);
    this.load();
    this.loadMine();
    if (ctx.query.to) {
      const to = ctx.query.to;
      ctx.setQuery({to: ''}, true);
      compose({to});
    }
  }

  get filtered() {
    return FILTERS.some(name => this.ctx.query[name]);
  }

  filter() {
    return Object.fromEntries(FILTERS.map(name => [name, this.ctx.query[name]]));
  }

  /** My mailbox, where this process keeps mailboxes of people. */
  loadMine() {
    if (this.ctx.has('mail')) this.mine.run(() => get(inOrg('/view/mailbox')));
  }

  /** What was written to me is read when I open it. */
  async read(m) {
    const mine = this.mine.value?.id;
    if (!mine || !m.recipients.some(r => r.id === mine && !r.readAt)) return;
    await markRead(m.id).catch(() => {});
    this.loadOpen();
    this.loadMine();
  }

  load() {
    this.asked = JSON.stringify(this.filter());
    this.list.run(async () => {
      const page = await get(inOrg('/view/history/mail'), this.filter());
      this.rows = new Map(page.rows.map(m => [m.id, m]));
      this.next = page.next;
      return page;
    });
  }

  more() {
    this.list.run(async () => {
      const page = await get(inOrg('/view/history/mail'), {...this.filter(), before: this.next});
      page.rows.forEach(m => this.rows.set(m.id, m));
      this.next = page.next;
      return page;
    });
  }

  /** Loaded messages with what the stream has told since; new ones only where nothing is filtered. */
  messages() {
    for (const fresh of this.ctx.live.rows('mail').values()) {
      if (this.rows.has(fresh.id) || !this.filtered) this.rows.set(fresh.id, fresh);
    }
    return [...this.rows.values()].sort((a, b) => (a.id < b.id ? 1 : -1));
  }

  select(id, replace = false) {
    this.ctx.setQuery({id}, replace);
  }

  move(by) {
    const all = this.messages(), at = all.findIndex(m => m.id === this.ctx.query.id);
    const next = all[Math.max(0, Math.min(all.length - 1, at + by))];
    if (next) this.select(next.id, true);
  }

  ensureOpen() {
    const {id} = this.ctx.query;
    if (id === this.shown) return;
    this.shown = id;
    this.open.value = null;
    this.loadOpen();
  }

  loadOpen() {
    if (this.shown) this.open.run(async () => {
      const m = await get(inOrg(`/view/history/mail/${encodeURIComponent(this.shown)}`));
      if (m.id !== this.opened) {
        this.opened = m.id;
        this.mine.value?.id ? this.read(m) : this.mine.run(() => get(inOrg('/view/mailbox'))).then(() => this.read(m));
      }
      return m;
    });
  }

  view() {
    this.ensureOpen();
    const ctx = this.ctx;
    return html`<div class="bar">
        <input type="search" placeholder="Search subject and text" aria-label="Search mail" .value=${live(ctx.query.q ?? '')}
          @input=${e => { clearTimeout(this.typed); const q = e.target.value; this.typed = setTimeout(() => ctx.setQuery({q}, true), 250); }}>
        ${hostFilter(ctx)}
        <div class="tally" role="group" aria-label="Filter by state">
          <button aria-pressed=${ctx.query.state ? 'false' : 'true'} @click=${() => ctx.setQuery({state: ''})}>all</button>
          <button aria-pressed=${ctx.query.state === 'unread' ? 'true' : 'false'} @click=${() => ctx.setQuery({state: 'unread'})}>unread by somebody</button></div>
        ${this.mineButton()}
        ${ctx.query.agent && ctx.query.agent !== this.mine.value?.id ? html`<button @click=${() => ctx.setQuery({agent: ''})}>One mailbox ✕</button>` : nothing}</div>
      <div class="panes ${ctx.query.id ? 'chosen' : ''}">
        <div class="pane list">${this.list.show(() => this.messageList(), () => this.load())}</div>
        <div class="pane">${ctx.query.id ? this.open.show(m => this.message(m), () => this.loadOpen()) : empty('No message is chosen.', 'Choose one on the left, or move with j and k.')}</div></div>`;
  }

  mineButton() {
    const mine = this.mine.value, ctx = this.ctx;
    if (!mine?.id) return nothing;
    const on = ctx.query.agent === mine.id;
    return html`<button aria-pressed=${String(on)} title=${`Agents write to you as ${mine.address}`} @click=${() => ctx.setQuery({agent: on ? '' : mine.id})}>For me${mine.unread ? html` <b class="warn">${mine.unread}</b>` : nothing}</button>`;
  }

  messageList() {
    const all = this.messages();
    if (!all.length) return this.filtered ? empty('No message matches.', html`<button @click=${() => this.ctx.setQuery({q: '', host: '', agent: '', state: ''})}>Clear the filter</button>`) : empty('There is no mail yet.', 'Agents write to each other with their mail command; you can write to any of them.');
    return html`<ul class="mails" aria-label="Messages">${repeat(all, m => m.id, m => html`<li class=${unreadBy(m) ? 'unread' : ''}>
        <a href=${`/mail?${new URLSearchParams({...this.ctx.query, id: m.id})}`} aria-current=${m.id === this.ctx.query.id ? 'true' : nothing}>
          <span class="row"><b class="cut">${m.from.name}</b><span class="dim cut">to ${names(m.recipients)}</span>${when(m.sentAt)}</span>
          <span class="subject cut">${m.subject || '(no subject)'}</span>
          <span class="soft cut">${m.body}</span></a></li>`)}</ul>
      ${this.next ? moreButton(this.list, 'Load older mail', () => this.more()) : nothing}`;
  }

  message(m) {
    const fresh = this.ctx.live.rows('mail').get(m.id);
    const recipients = (fresh ?? m).recipients;
    const canWrite = this.ctx.has('mail') && this.ctx.can('operator');
    return html`<article class="letter"><header><h2>${m.subject || '(no subject)'}</h2>
        <p class="soft"><a class="link mono" href=${`/agents/${encodeURIComponent(m.from.id)}`}>${m.from.name}@${m.from.hostName}</a> · ${stamp(m.sentAt)}</p>
        <div class="row"><button class="back" @click=${() => this.select('')}>Back</button>
          ${canWrite ? html`<button @click=${() => compose(answerTo(m))}>Answer</button><button @click=${() => compose(answerTo(m, true))}>Answer all</button>` : nothing}
          ${m.replyTo ? html`<a class="link" href=${`/mail?id=${encodeURIComponent(m.replyTo)}`}>the message it answers</a>` : nothing}</div></header>
      <pre>${m.body}</pre>
      <h2>Recipients <span class="soft">${readState({recipients})}</span></h2>
      <ul class="plain">${recipients.map(r => html`<li><span class="dim">${r.type}</span> <a class="mono" href=${`/agents/${encodeURIComponent(r.id)}`}>${r.name}</a> <span class="soft">on ${r.hostName || '?'}</span>
        <span class="push">${r.readAt ? html`read ${when(r.readAt)}` : html`<span class="warn">not read</span>`}${r.archivedAt ? html`, archived` : nothing}</span></li>`)}</ul></article>`;
  }
}

/** Writes as the signed-in operator. */
export function compose(draft = {}) {
  ask({
    title: draft.replyTo ? 'Answer' : 'New mail',
    act: 'Send',
    fields: [
      {name: 'to', label: 'To: names, or name@host', value: draft.to ?? ''},
      {name: 'subject', label: 'Subject', value: draft.subject ?? ''},
      {name: 'body', label: 'Text', rows: 10},
    ],
    run: values => sendMail({...values, ...(draft.replyTo ? {replyTo: draft.replyTo} : {})}),
  });
}

export const mail = {
  path: '/mail',
  title: 'Mail',
  topics: ['mail'],
  open(ctx) {
    const page = new MailPage(ctx);
    return {
      keys: [
        {keys: '/', label: 'Search', group: 'Mail', run: () => document.querySelector('.bar input[type=search]')?.focus()},
        {keys: 'j', label: 'Next message', group: 'Mail', run: () => page.move(1)},
        {keys: 'k', label: 'Previous message', group: 'Mail', run: () => page.move(-1)},
        ...(ctx.has('mail') && ctx.can('operator') ? [{keys: 'c', label: 'Write mail', group: 'Mail', run: () => compose()}] : []),
      ],
      actions: () => (ctx.has('mail') && ctx.can('operator') ? html`<button @click=${() => compose()}>Write mail<kbd>c</kbd></button>` : nothing),
      queryChanged: () => { if (page.asked !== JSON.stringify(page.filter())) page.load(); },
      view: () => page.view(),
    };
  },
};
