/** One live agent process: what is known of it, and a console to it through the proxy. */
import {html, nothing} from '../core/lit.js';
import {get, inOrg} from '../core/api.js';
import {removeNode} from '../core/actions.js';
import {clockTime, count, span} from '../core/format.js';
import {Acts} from '../ui/act.js';
import {empty, facts, pill, stamp, when} from '../ui/bits.js';
import {ask} from '../ui/dialog.js';
import {Loading} from '../ui/states.js';
import {shortTable} from '../ui/table.js';
import {part} from './host.js';
import {hostName, nodes, notStored, uptime} from './nodes.js';

const MOST_FRAMES = 2_000;

class Console {
  constructor(invalidate, node) {
    this.invalidate = invalidate;
    this.node = node;
    this.frames = [];
    this.state = 'closed';
    this.reason = '';
  }

  /** For whoever comes to the page; after that it is theirs to open and close. */
  openOnce() {
    if (!this.socket) this.open();
  }

  open() {
    const scheme = location.protocol === 'https:' ? 'wss' : 'ws';
    this.socket = new WebSocket(`${scheme}://${location.host}/ws/agent/${encodeURIComponent(this.node)}`);
    this.state = 'opening';
    this.reason = '';
    this.socket.onopen = () => this.#to('open');
    this.socket.onmessage = e => this.#add('in', typeof e.data === 'string' ? e.data : `(${e.data.size} bytes)`);
    this.socket.onclose = e => {
      this.reason = e.reason || (e.code === 1000 ? '' : e.code === 1006 ? 'the connection broke' : `closed with code ${e.code}`);
      this.#to('closed');
    };
    this.invalidate();
  }

  #to(state) {
    this.state = state;
    this.invalidate();
  }

  send(text) {
    this.socket?.send(text);
    this.#add('out', text);
  }

  #add(way, text) {
    this.frames.push({way, text, at: new Date().toISOString()});
    if (this.frames.length > MOST_FRAMES) this.frames.shift();
    this.invalidate();
  }

  close() {
    this.socket?.close(1000);
  }

  view() {
    queueMicrotask(() => { const box = document.querySelector('.console'); if (box) box.scrollTop = box.scrollHeight; });
    return html`<section class="part"><h2>Console ${pill(this.state === 'open' ? 'connected' : this.state === 'opening' ? 'starting' : 'stopped', this.state)}
        ${this.state === 'closed' ? html`<button @click=${() => this.open()}>Connect</button>` : html`<button @click=${() => this.close()}>Disconnect</button>`}
        ${this.reason ? html`<span class="soft">${this.reason}</span>` : nothing}</h2>
      ${this.frames.length || this.state !== 'closed' ? html`<div class="console" role="log" tabindex="0" aria-label="Frames to and from the node">${this.frames.map(f => html`<div class=${f.way}><time class="dim">${clockTime(f.at)}</time><span class="dim">${f.way === 'in' ? '‹' : '›'}</span><pre>${f.text}</pre></div>`)}</div>
      <form class="row" @submit=${e => { e.preventDefault(); const box = e.target.elements.text; if (box.value) this.send(box.value); box.value = ''; }}>
        <input name="text" class="grow mono" aria-label="Frame to send" placeholder="Text or JSON to send" autocomplete="off" ?disabled=${this.state !== 'open'}><button ?disabled=${this.state !== 'open'}>Send</button></form>` : html`<p class="soft">Opens a socket to this node through the proxy; its host needs no open port.</p>`}</section>`;
  }
}

export const node = {
  path: '/nodes/:host/:node',
  title: 'Node',
  parent: nodes,
  topics: ['nodes', 'jobs'],
  needs: 'nodes',
  open(ctx) {
    const {host, node: id} = ctx.params;
    const detail = new Loading(ctx.invalidate);
    const load = () => detail.run(() => get(inOrg(`/view/nodes/${encodeURIComponent(host)}/${encodeURIComponent(id)}`)));
    load();
    // It came, went or came back: its history has grown.
    let seen = '';
    const follow = n => {
      const state = `${n?.status} ${n?.reconnects} ${n?.registeredAt}`;
      if (seen && seen !== state) load();
      if (n) seen = state;
      return n;
    };
    const terminal = new Console(ctx.invalidate, id);
    // One that was in the list and no longer is was removed: here, at its host, or by its age.
    let listed = false;
    const current = () => {
      const row = [...ctx.live.rows('nodes').values()].find(n => n.host === host && n.node === id);
      listed ||= Boolean(row);
      return row ?? (listed ? null : detail.value?.node);
    };
    const acts = new Acts(ctx);
    return {
      title: () => html`<span class="mono">${id}</span>`,
      actions: () => (ctx.can('operator') ? nodeActions(ctx, acts, current()) : nothing),
      close: () => terminal.close(),
      view: () => {
        if (current()?.status === 'active' && ctx.can('operator')) terminal.openOnce();
        const now = current();
        if (!now && listed) return empty('This node was removed.', html`The others are under <a class="link" href="/nodes">nodes</a>; if it runs again, it is listed there.`);
        return html`<div class="body">${detail.show(d => body(ctx, follow(now), d, terminal), load)}</div>`;
      },
    };
  },
};

/** One that is active would register again at once. */
const nodeActions = (ctx, acts, n) => html`${!n || n.status === 'active' ? nothing : html`<button class="danger" @click=${() => remove(ctx, acts, n)}>Remove</button>`} ${acts.say('remove')}`;

const remove = (ctx, acts, n) => ask({
  title: `Remove ${n.node}`,
  text: 'It is forgotten with its history and its counts. If it runs again, it registers as a new node.',
  act: 'Remove',
  danger: true,
  confirm: n.node,
  run: async () => {
    const answer = await removeNode(n.host, n.node);
    // Another host forgets it when it hears of it; until then there is something to look at.
    if (answer?.outcome === 'queued') acts.follow('remove', answer);
    else ctx.go('/nodes');
  },
});

const body = (ctx, n, d, terminal) => html`<section class="top">${facts([
  ['Status', html`${pill(n.status)} ${notStored(n)}`],
  ['Last seen', when(n.lastSeenAt)],
  n.offlineSince ? ['Offline since', when(n.offlineSince)] : null,
  ['Registered', when(n.registeredAt)],
  ['Machine', html`<span class="mono">${n.machine}:${n.port}</span>`],
  ['Folder', html`<span class="mono">${n.cwd}</span>`],
  ['Process', n.pid ?? '–'],
  ['Host', html`<a class="link mono" href=${`/hosts/${encodeURIComponent(n.host)}`}>${hostName(ctx, n.host)}</a>`],
  ['Uptime', span(uptime(n))],
  // A host counts all the time and tells its counts once a minute.
  n.countedUntil ? ['Counted', when(n.countedUntil)] : null,
  ['Messages relayed', count(n.messages)],
  ['Proxy sessions', count(n.sessions)],
  ['Reconnects', count(n.reconnects)],
  ['Errors', n.errors ? html`<span class="bad">${count(n.errors)}</span>` : '0'],
])}</section>
${n.status === 'active' && ctx.can('operator') ? terminal.view() : nothing}
${part('Connections', d.connections.rows, rows => shortTable({
    label: 'Connection history',
    rows,
    columns: [
      {label: 'Event', width: 130, cell: c => pill(n.status === 'active' && c === d.connections.rows[0] && c.event === 'connected' ? 'connected' : 'disconnected', c.event)},
      {label: 'Address', cls: 'name wide', cell: c => c.address ?? '–'},
      {label: 'When', width: 120, cell: c => when(c.at)},
      {label: 'Time', width: 200, cls: 'wide', cell: c => html`<span class="soft">${stamp(c.at)}</span>`},
    ],
  }), 'It has no history yet.')}`;
