import {html, nothing} from '../core/lit.js';
import {serverNow} from '../core/clock.js';
import {count, exact, span} from '../core/format.js';
import {empty, pill, when} from '../ui/bits.js';
import {listPage} from '../ui/list-page.js';
import {knownHost} from '../ui/host-filter.js';

const href = n => `/nodes/${encodeURIComponent(n.host)}/${encodeURIComponent(n.node)}`;
export const hostName = (ctx, id) => knownHost(ctx, id)?.name ?? id;

/** An active node has been up since it was last counted, too. */
export const uptime = n => n.uptimeSeconds + (n.status === 'active' && n.countedUntil ? Math.max(0, (serverNow() - Date.parse(n.countedUntil)) / 1000) : 0);

/** A host tells its counts once a minute. */
const counted = (n, shown) => html`<span title=${n.countedUntil ? `counted up to ${exact(n.countedUntil)}` : ''}>${shown}</span>`;

/** Its registry has it in memory only: a disk is full, or a database away. */
export const notStored = n => (n.stored === false ? html`<span class="soft" title="Its registry cannot store it now and keeps it in memory; a restart would forget it.">not stored yet</span>` : nothing);

export const nodeColumns = ctx => [
  {key: 'status', label: 'Status', width: 122, narrow: 112, cls: 'keep', cell: n => pill(n.status)},
  {key: 'node', label: 'Node', width: 190, narrow: 0, cls: 'name keep', cell: n => html`<a href=${href(n)}>${n.node}</a> ${notStored(n)}`},
  {key: 'machine', label: 'Machine', width: 130, cls: 'name wide', cell: n => n.machine},
  {key: 'cwd', label: 'Folder', cls: 'name wide', cell: n => html`<span title=${n.cwd}>${n.cwd}</span>`},
  {key: 'host', label: 'Host', width: 120, cls: 'name wide', cell: n => html`<a href=${`/hosts/${encodeURIComponent(n.host)}`}>${hostName(ctx, n.host)}</a>`},
  {key: 'uptime', label: 'Uptime', width: 84, cls: 'num wide', cell: n => span(uptime(n))},
  {key: 'messages', label: 'Messages', width: 92, cls: 'num wide', cell: n => counted(n, count(n.messages))},
  {key: 'sessions', label: 'Sessions', width: 84, cls: 'num wide', cell: n => counted(n, count(n.sessions))},
  {key: 'seen', label: 'Last seen', width: 108, cls: 'keep', cell: n => when(n.lastSeenAt)},
];

export const nodes = {
  path: '/nodes',
  title: 'Nodes',
  topics: ['nodes'],
  needs: 'nodes',
  open: ctx => listPage(ctx, {
    topic: 'nodes',
    noun: 'node',
    label: 'Nodes',
    search: 'Filter by name, machine or folder',
    list: {
      sort: 'status',
      status: n => n.status,
      text: n => `${n.node} ${n.machine} ${n.cwd}`.toLowerCase(),
      keys: {
        status: n => (n.status === 'active' ? 1 : 0),
        node: n => n.node,
        machine: n => n.machine,
        cwd: n => n.cwd,
        host: n => hostName(ctx, n.host),
        uptime,
        messages: n => n.messages,
        sessions: n => n.sessions,
        seen: n => n.lastSeenAt,
      },
    },
    statuses: ['active', 'unreachable', 'offline'],
    always: ['active', 'offline'],
    hostOf: n => n.host,
    columns: nodeColumns,
    href,
    rowClass: n => (n.status === 'active' ? '' : 'away'),
    none: empty('No node has registered.', html`Agents register at <code>ws://HOST:31415/ws</code>; they appear here at once.`),
  }),
};
