/** Settings, notifications: what tells me, how, and what became of the messages. */
import {html, nothing} from '../core/lit.js';
import {get, inOrg} from '../core/api.js';
import {addChannel, changeChannel, removeChannel, removeMailServer, setMailServer, testChannel} from '../core/actions.js';
import {allow, allowed} from '../core/notify.js';
import {Acts} from '../ui/act.js';
import {ask} from '../ui/dialog.js';
import {pill, when} from '../ui/bits.js';
import {Loading} from '../ui/states.js';
import {shortTable} from '../ui/table.js';
import {ABOUT, KINDS, columns, fared, stateOf, switched, topicWords, towards} from './notifications.model.js';

export const notifications = {
  path: '/settings/notifications',
  title: 'Notifications',
  needs: 'notifications',
  open(ctx) {
    return new NotificationsPage(ctx);
  },
};

class NotificationsPage {
  constructor(ctx) {
    this.ctx = ctx;
    this.acts = new Acts(ctx);
    this.mine = new Loading(ctx.invalidate);
    this.messages = new Loading(ctx.invalidate);
    this.server = new Loading(ctx.invalidate);
    this.everybody = false;
    this.load();
    this.loadServer();
    this.timer = setInterval(() => { if (!document.hidden) this.loadMessages(); }, 5_000);
  }

  close() {
    clearInterval(this.timer);
  }

  load() {
    this.mine.run(() => get(inOrg('/notifications')));
    this.loadMessages();
  }

  loadMessages() {
    this.messages.run(() => get(inOrg('/notifications/deliveries'), {limit: 50, of: this.everybody ? 'everybody' : ''}));
  }

  loadServer() {
    if (!this.ctx.can('admin')) return;
    this.server.run(async () => ({set: (await get(inOrg('/mail-server'))).server ?? null}));
  }

  then(work) {
    return async (...args) => { const result = await work(...args); this.load(); return result; };
  }

  view() {
    return html`<div class="body notifications">${this.mine.show(data => html`${this.matrix(data)}${this.deliveries()}${this.mailServer()}${this.note()}`, () => this.load())}</div>`;
  }

  matrix(data) {
    const all = columns(data.channels);
    return html`<section class="part"><h2>What tells you <span class="soft">${data.operator}</span><span class="push"><button @click=${() => this.add(data)}>Add a channel</button></span></h2>
      <div class="matrix-box" tabindex="0" role="region" aria-label="Notifications"><table class="matrix"><thead><tr><th scope="col">When</th>
        ${all.map(c => html`<th scope="col"><b>${c.kind === 'browser' ? 'This browser' : c.name}</b>${this.under(c)}</th>`)}</tr></thead>
        <tbody>${data.kinds.map(k => html`<tr><th scope="row">${k.title}<span class="soft">${ABOUT[k.kind] ?? ''}</span></th>
          ${all.map(c => html`<td>${this.toggle(c, k)}</td>`)}</tr>`)}
          <tr class="tests"><th scope="row">Try it</th>${all.map(c => html`<td>${c.id ? html`<span class="trying">${this.acts.button(`test:${c.id}`, 'Test', () => this.test(c))}
            ${c.kind === 'browser' ? nothing : html`<button class="danger" aria-label=${`Remove ${c.name}`} @click=${() => this.remove(c)}>Remove</button>`}</span>` : nothing}</td>`)}</tr></tbody></table></div>
      <p class="said">${this.acts.say(...all.map(c => `test:${c.id}`), 'switch')}</p>
      <p class="soft">${data.channels.some(c => c.kinds.length) ? 'What happens within a minute comes as one message; an open page shows it at once.' : 'Nothing tells you yet. Switch something on for this browser, or add a channel.'}</p></section>`;
  }

  under(channel) {
    if (channel.kind === 'browser' && !channel.disabledReason) {
      const state = allowed();
      if (state === 'denied') return html`<span class="warn">blocked in the browser\u2019s settings</span>`;
      if (state === 'unsupported') return html`<span class="warn">it cannot show notifications</span>`;
      if (state === 'default') return html`<span class="dim">${channel.kinds.length ? html`<button @click=${() => this.allow()}>Allow here</button>` : 'asks you first'}</span>`;
      return html`<span class="dim">while a page is open</span>`;
    }
    return html`<span class=${channel.disabledReason ? 'warn' : 'dim'} title=${towards(channel)}>${KINDS[channel.kind]?.title ?? channel.kind} · ${towards(channel)}</span>`;
  }

  toggle(channel, kind) {
    const on = channel.kinds.includes(kind.kind), name = channel.kind === 'browser' ? 'this browser' : channel.name;
    return html`<button type="button" class="switch" role="switch" aria-checked=${String(on)} aria-label=${`${kind.title}: ${name}`} @click=${() => this.switch(channel, kind.kind)}></button>`;
  }

  async switch(channel, kind) {
    const kinds = switched(channel.kinds, kind);
    if (channel.kind === 'browser' && kinds.length > channel.kinds.length && allowed() === 'default') await allow();
    await this.acts.run('switch', async () => {
      if (channel.kind === 'browser' && allowed() === 'denied') throw new Error('This browser blocks notifications of this site; allow them in its settings first.');
      const saved = channel.id ? await changeChannel(channel.id, kinds) : (await addChannel({kind: 'browser', name: 'browser', kinds})).channel;
      const channels = this.mine.value.channels;
      this.mine.value = {...this.mine.value, channels: channel.id ? channels.map(c => (c.id === saved.id ? saved : c)) : [...channels, saved]};
      dispatchEvent(new CustomEvent('skep:notify'));
      return {note: 'Saved'};
    });
  }

  async allow() {
    await allow();
    dispatchEvent(new CustomEvent('skep:notify'));
    this.ctx.invalidate();
  }

  /** Done only when the other side took it: what it said is shown, whichever it was. */
  async test(channel) {
    // What was said of something before would stand in front of the answer.
    this.acts.clear('switch');
    try {
      const message = await testChannel(channel.id);
      if (message.outcome !== 'sent') throw new Error(`${channel.name}: ${fared(message)}`);
      return {note: `${channel.name}: ${fared(message)}`};
    } finally {
      this.load();
    }
  }

  add(data) {
    const kinds = Object.entries(KINDS).filter(([kind]) => kind !== 'browser' && (kind !== 'email' || data.canMail));
    ask({
      title: 'Add a channel',
      text: data.canMail ? undefined : 'For e-mail an admin sets the org\u2019s mail server first.',
      act: 'Add',
      fields: [
        {name: 'kind', label: 'Kind', options: kinds.map(([kind, k]) => [kind, k.title])},
        {name: 'name', label: 'Name, may stay empty', required: false},
        {name: 'to', label: `Where to, such as ${kinds.map(([, k]) => k.hint).join(' or ')}`},
        {name: 'kinds', label: 'Tells you when', many: data.kinds.map(k => [k.kind, k.title]), ticked: data.kinds.filter(k => k.usual).map(k => k.kind)},
      ],
      run: ({kind, name, to, kinds: chosen}) => this.then(addChannel)({kind, to, kinds: chosen, ...(name ? {name} : {})}),
      done: made => html`<p>Added. <b>Test</b> shows whether it arrives.</p>${made?.secret ? html`<p>It signs with this secret, which is not shown again:</p><pre>${made.secret}</pre>` : nothing}`,
    });
  }

  remove(channel) {
    ask({title: `Remove ${channel.name}`, text: 'Its messages go from the list too.', act: 'Remove', danger: true, run: () => this.then(removeChannel)(channel.id)});
  }

  deliveries() {
    const admin = this.ctx.can('admin');
    return html`<section class="part"><h2>Messages${admin ? html`<span class="push"><button aria-pressed=${String(this.everybody)} @click=${() => { this.everybody = !this.everybody; this.messages.value = null; this.loadMessages(); }}>Everybody\u2019s</button></span>` : nothing}</h2>
      ${this.messages.show(({deliveries}) => (deliveries.length ? shortTable({
      label: 'Messages',
      rows: deliveries,
      columns: [
        {label: 'State', width: 196, narrow: 130, cell: m => pill(stateOf(m.outcome), m.outcome)},
        ...(this.everybody ? [{label: 'To', width: 110, cell: m => m.operator}] : []),
        {label: 'Channel', width: 130, narrow: 90, cls: 'name', cell: m => m.channel},
        {label: 'About', width: 170, cls: 'wide', cell: m => topicWords(m.topic)},
        {label: 'What', cls: 'name wide', cell: m => html`<span title=${m.title ?? ''}>${m.title ?? ''}</span>`},
        {label: 'Answer', width: 260, cls: 'wide', cell: m => html`<span class=${m.lastError ? 'bad' : 'soft'} title=${m.lastError ?? ''}>${m.lastError ?? (m.lastStatus ?? '')}</span>`},
        {label: 'Tries', width: 60, narrow: 50, cls: 'num', cell: m => m.tries},
        {label: 'Created', width: 110, narrow: 90, cell: m => when(m.createdAt)},
      ],
    }) : html`<p class="soft">No message was sent yet.</p>`), () => this.loadMessages())}</section>`;
  }

  mailServer() {
    if (!this.ctx.can('admin')) return nothing;
    return html`<section class="part"><h2>Mail server of the org<span class="push">${this.server.value ? html`<button @click=${() => this.editServer(this.server.value.set)}>${this.server.value.set ? 'Change' : 'Set'}</button>
        ${this.server.value.set ? html`<button class="danger" @click=${() => ask({title: 'Remove the mail server', text: 'Nobody in the org gets e-mail any more.', act: 'Remove', danger: true, run: async () => { await removeMailServer(); this.loadServer(); this.load(); }})}>Remove</button>` : nothing}` : nothing}</span></h2>
      ${this.server.show(({set}) => (set ? html`<p><span class="mono">${set.host}:${set.port}</span> <span class="soft">by ${set.security === 'tls' ? 'TLS' : 'STARTTLS'}${set.user ? ` as ${set.user}` : ''}, from</span> <span class="mono">${set.sender}</span></p>`
        : html`<p class="soft">None. E-mail leaves only through a server that speaks TLS.</p>`), () => this.loadServer())}</section>`;
  }

  editServer(set) {
    ask({
      title: 'Mail server of the org',
      text: set?.user ? 'Leave the password empty to keep it, unless the host or the user changes.' : undefined,
      act: 'Save',
      fields: [
        {name: 'host', label: 'Host', value: set?.host ?? ''},
        {name: 'security', label: 'Security', value: set?.security ?? 'tls', options: [['tls', 'TLS from the first byte (465)'], ['starttls', 'STARTTLS (587)']]},
        {name: 'port', label: 'Port; empty for the usual one', value: set ? String(set.port) : '', required: false},
        {name: 'user', label: 'User; empty if it asks for none', value: set?.user ?? '', required: false},
        {name: 'password', label: 'Password', type: 'password', required: false},
        {name: 'sender', label: 'Sender: the address that messages come from', type: 'email', value: set?.sender ?? ''},
      ],
      run: async ({port, ...v}) => {
        if (port && !/^[0-9]{1,5}$/.test(port)) throw new Error('The port must be a number.');
        await setMailServer({...v, ...(port ? {port: Number(port)} : {})});
        this.loadServer();
        this.load();
      },
    });
  }

  note() {
    return html`<section class="part"><h2>Deciding from elsewhere</h2><p class="soft">A message has the reason, the command in short and a link. The link opens exactly that card, after signing in if need be; opening it decides nothing.</p></section>`;
  }
}
