import {html, nothing} from '../core/lit.js';
import {actOnServer, addServer, removeServer} from '../core/actions.js';
import {Acts} from '../ui/act.js';
import {ask} from '../ui/dialog.js';
import {empty, pill, when} from '../ui/bits.js';
import {listPage} from '../ui/list-page.js';
import {noHost, workingHosts} from '../ui/host-filter.js';
import {hostName} from './nodes.js';

const RANK = {failed: 0, unreachable: 1, restarting: 2, running: 3, stopped: 4};
const POSSIBLE = {running: ['restart', 'stop'], restarting: ['restart', 'stop'], failed: ['start', 'stop'], stopped: ['start']};

export const serverColumns = ctx => [
  {key: 'state', label: 'State', width: 130, narrow: 104, cls: 'keep', cell: s => pill(s.state)},
  {key: 'name', label: 'Server', width: 140, narrow: 0, cls: 'name keep', cell: s => s.name},
  {key: 'host', label: 'Host', width: 140, cls: 'name wide', cell: s => html`<a href=${`/hosts/${encodeURIComponent(s.host)}`}>${hostName(ctx, s.host)}</a>`},
  {key: 'command', label: 'Command', cls: 'name wide', cell: s => html`<span title=${s.command ?? ''}>${s.command ?? '–'}</span>`},
  {key: 'since', label: 'Since', width: 96, cls: 'wide', cell: s => when(s.since)},
];

async function add(ctx) {
  const hosts = await workingHosts(ctx.invalidate);
  return hosts.length ? describe(hosts) : noHost('New server');
}

const describe = hosts => ask({
  title: 'New server',
  text: 'The runner of the host keeps it running. Its command must stand in the host’s allowed-commands.',
  act: 'Add',
  fields: [
    {name: 'hostId', label: 'Host', options: hosts.map(h => [h.id, h.name])},
    {name: 'name', label: 'Name'},
    {name: 'command', label: 'Command'},
    {name: 'cwd', label: 'Folder; empty for the usual one', required: false},
    {name: 'restart', label: 'When it ends', value: 'on-failure', options: [['on-failure', 'start it again if it failed'], ['always', 'always start it again'], ['never', 'leave it']]},
  ],
  run: v => addServer({hostId: v.hostId, name: v.name, spec: {command: v.command, restart: v.restart, ...(v.cwd ? {cwd: v.cwd} : {})}}),
});

const remove = s => ask({
  title: `Remove ${s.name}`,
  text: 'It is no longer kept here. Its log stays on its host.',
  act: 'Remove',
  danger: true,
  confirm: s.name,
  run: () => removeServer(s.id),
});

export const servers = {
  path: '/servers',
  title: 'Servers',
  topics: ['servers', 'jobs'],
  needs: 'servers',
  open(ctx) {
    const acts = new Acts(ctx);
    const page = listPage(ctx, {
      topic: 'servers',
      noun: 'server',
      label: 'Servers',
      search: 'Filter by name, host or command',
      list: {
        sort: 'state',
        status: s => s.state,
        text: s => `${s.name} ${hostName(ctx, s.host)} ${s.command ?? ''}`.toLowerCase(),
        keys: {state: s => RANK[s.state] ?? 9, name: s => s.name, host: s => hostName(ctx, s.host), command: s => s.command, since: s => s.since},
      },
      statuses: ['running', 'restarting', 'failed', 'unreachable', 'stopped'],
      always: ['running', 'stopped'],
      hostOf: s => s.host,
      columns: c => [...serverColumns(c), {key: 'do', label: html`<span class="sr">Actions</span>`, width: 290, narrow: 170, cls: 'acts', sorts: false, cell: s => (ctx.can('operator')
        ? acts.cell(['start', 'restart', 'stop'].map(a => `${a}:${s.id}`), html`${(POSSIBLE[s.state] ?? []).map(a => html`${acts.button(`${a}:${s.id}`, a[0].toUpperCase() + a.slice(1), () => actOnServer(s.id, a))} `)}${s.state === 'stopped' ? html`<button class="danger" @click=${() => remove(s)}>Remove</button>` : nothing}`) : nothing)}],
      rowClass: s => (s.state === 'unreachable' ? 'away' : ''),
      none: empty('No server is managed yet.', 'Describe one here; the runner of its host keeps it running.'),
    });
    page.actions = () => (ctx.can('operator') ? html`<button @click=${() => add(ctx)}>New server</button>` : nothing);
    return page;
  },
};
