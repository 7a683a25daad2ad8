import {html, live, nothing} from '../core/lit.js';
import {get, inOrg} from '../core/api.js';
import {addOperator, addWebhook, changeOperator, removeWebhook, resetOperator, revokeHost, rotateHostKey, testWebhook} from '../core/actions.js';
import {serverNow} from '../core/clock.js';
import {clockTime, count} from '../core/format.js';
import {Acts} from '../ui/act.js';
import {ask} from '../ui/dialog.js';
import {facts, pill, stamp, when} from '../ui/bits.js';
import {Loading} from '../ui/states.js';
import {shortTable} from '../ui/table.js';
import {calledBy} from '../ui/people.js';
import {aboutWords, alertChoices, eventChoices} from './alerts.model.js';
import {edit} from './host.js';
import {pair} from './hosts.js';
import {hostName} from './nodes.js';
import {loadRules, rules} from './settings.rules.js';

export const settings = {
  path: '/settings',
  title: 'Settings',
  topics: ['hosts'],
  needs: 'settings',
  role: 'admin',
  open(ctx) {
    const data = new Loading(ctx.invalidate), acts = new Acts(ctx);
    const load = () => data.run(async () => {
      const [all, set] = await Promise.all([get(inOrg('/view/settings')), ctx.has('jobs') ? loadRules() : null]);
      return {...all, rules: set, at: serverNow()};
    });
    load();
    const then = work => async (...args) => { const result = await work(...args); load(); return result; };
    return {asOf: () => (data.value ? `as of ${clockTime(new Date(data.value.at).toISOString())} UTC` : ''), view: () => html`<div class="body">${data.show(d => html`
      ${org(ctx, d)}${people(d.operators, acts, then)}${invitations(ctx, d.pairings, then)}${hooks(d.webhooks, acts, then)}${d.rules ? rules(d.rules, then) : nothing}${ctx.has('jobs') ? limits(ctx, load) : nothing}${keys(ctx, d.keys, acts, then)}`, load)}</div>`};
  },
};

const section = (title, action, content) => html`<section class="part"><h2>${title}<span class="push">${action}</span></h2>${content}</section>`;

const org = (ctx, {org: o, operators, keys: all}) => section('Org', nothing, html`${facts([
  ['Name', o.name],
  ['Id', html`<span class="mono">${o.id}</span>`],
  // The first org comes with the database, not from anybody at some time.
  o.id === 'default' ? null : ['Since', stamp(o.createdAt)],
  ['Hosts', html`<a class="link" href="/hosts">${count([...ctx.live.rows('hosts').values()].filter(h => h.kind !== 'hub').length)}</a>`],
  ['Operators', counted(operators, x => !x.disabledAt, 'disabled')],
  ['Host keys', counted(all, x => !x.revokedAt, 'revoked')],
  ['Shared key', o.sharedKeyFrom ? html`set in <span class="mono">${o.sharedKeyFrom}</span>: every host that has it may join` : 'none: a host joins with a pairing code'],
])}<p class="soft">Nobody in an org sees another. Whoever runs this hub lists and makes them on its machine: <code>skep orgs</code>, <code>skep orgs add</code>.</p>`);

const counted = (rows, counts, others) => {
  const rest = rows.filter(row => !counts(row)).length;
  return html`${count(rows.length - rest)}${rest ? html` <span class="soft">and ${count(rest)} ${others}</span>` : nothing}`;
};

/** Of many hosts, those that come first; the others are found by their names. */
const SHOWN = 50;
const rest = (n, words) => (n > SHOWN ? html`<p class="soft">And ${count(n - SHOWN)} more${words}.</p>` : nothing);

/** Only hosts that differ from what every host starts with. */
function limits(ctx, reload) {
  const limited = [...ctx.live.rows('hosts').values()].filter(h => (h.maxConcurrent ?? 1) !== 1 || h.jobsPerMinute !== null).sort((a, b) => (a.name < b.name ? -1 : 1));
  return section('Limits', nothing, html`<p class="soft">${limited.length ? 'Every other host runs one job at a time.' : 'Every host runs one job at a time.'} A host's own page changes its limits too.</p>
    ${limited.length ? shortTable({
    label: 'Hosts with limits of their own',
    rows: limited.slice(0, SHOWN),
    columns: [
      {label: 'Host', cls: 'name', cell: h => html`<a href=${`/hosts/${encodeURIComponent(h.id)}`}>${h.name}</a>`},
      {label: 'Jobs at a time', width: 130, narrow: 100, cls: 'num', cell: h => h.maxConcurrent ?? 1},
      {label: 'A minute', width: 130, cls: 'num wide', cell: h => h.jobsPerMinute ?? 'no limit'},
      {label: html`<span class="sr">Actions</span>`, width: 90, cls: 'acts', cell: h => html`<button @click=${() => edit(h, reload)}>Edit</button>`},
    ],
  }) : nothing}${rest(limited.length, ', each on its own page')}`);
}

const linkFor = made => html`<p>They sign in with this link, once, within an hour:</p><pre>${location.origin}${made.signInPath}</pre><p class="soft">It is not shown again.</p>`;

const reset = (o, then) => ask({
  title: `Reset the access of ${o.username}`,
  text: 'Their password and every session of theirs end at once. The next step shows a link for them.',
  act: 'Reset',
  danger: true,
  run: () => then(resetOperator)(o.id),
  done: linkFor,
});

/** What was refused is not shown as if it were so. */
async function changeRole(acts, then, o, choice) {
  const done = await acts.run(`role:${o.id}`, () => then(changeOperator)(o.id, {role: choice.value}));
  if (!done) choice.value = o.role;
}

const people = (operators, acts, then) => section('Operators', html`<button @click=${() => ask({
  title: 'Add an operator',
  act: 'Add',
  fields: [{name: 'username', label: 'User name'}, {name: 'role', label: 'Role', value: 'viewer', options: [['viewer', 'viewer: looks'], ['operator', 'operator: looks and acts'], ['admin', 'admin: everything']]}],
  run: then(addOperator),
  done: linkFor,
})}>Add an operator</button>`, operators.length ? shortTable({
  label: 'Operators',
  rows: operators,
  columns: [
    {label: 'State', width: 110, cls: 'wide', cell: o => pill(o.disabledAt ? 'removed' : 'online', o.disabledAt ? 'disabled' : 'enabled')},
    {label: 'User name', cls: 'name', cell: o => o.username},
    {label: 'Role', width: 130, narrow: 112, cell: o => html`<select aria-label="Role of ${o.username}" @change=${e => changeRole(acts, then, o, e.target)}>
      ${['viewer', 'operator', 'admin'].map(r => html`<option value=${r} ?selected=${o.role === r}>${r}</option>`)}</select>`},
    {label: 'Signed in', width: 120, cls: 'wide', cell: o => when(o.signedInAt)},
    {label: html`<span class="sr">Actions</span>`, width: 210, narrow: 168, cls: 'acts', cell: o => html`${o.disabledAt ? nothing : html`<button @click=${() => reset(o, then)}>Reset</button>`}
      ${acts.button(`able:${o.id}`, o.disabledAt ? 'Enable' : 'Disable', () => then(changeOperator)(o.id, {disabled: !o.disabledAt}))} ${acts.say(`able:${o.id}`, `role:${o.id}`)}`},
  ],
}) : html`<p class="soft">Nobody yet.</p>`);

const invitations = (ctx, pairings, then) => section('Invitations', html`<button @click=${() => pair(then)}>Make a pairing code</button>`, pairings.length ? shortTable({
  label: 'Pairing codes that were not used',
  rows: pairings,
  columns: [
    {label: 'Made by', cls: 'name', cell: p => calledBy(ctx, p.createdBy)},
    {label: 'Made', width: 130, cell: p => when(p.createdAt)},
    {label: 'Ends', width: 200, cls: 'wide', cell: p => html`<span class="soft mono">${clockTime(p.expiresAt)} UTC</span>`},
  ],
}) : html`<p class="soft">No code is open. One lets one host join, once, within ten minutes.</p>`);

function keys(ctx, all, acts, then) {
  const typed = (ctx.query.q ?? '').toLowerCase(), found = all.filter(k => hostName(ctx, k.host).toLowerCase().includes(typed));
  const find = all.length < 10 ? nothing : html`<input type="search" placeholder="Find a host" aria-label="Find a host" .value=${live(ctx.query.q ?? '')} @input=${e => ctx.setQuery({q: e.target.value}, true)}>`;
  return section('Host keys', find, all.length === 0 ? html`<p class="soft">No host has joined with a key.</p>`
    : html`${found.length ? keyTable(ctx, found.slice(0, SHOWN), acts, then) : html`<p class="soft">No host is called that.</p>`}${rest(found.length, '; type a part of its name to find one')}`);
}

const keyTable = (ctx, rows, acts, then) => shortTable({
  label: 'Host keys',
  rows,
  columns: [
    {label: 'State', width: 110, cls: 'wide', cell: k => pill(k.revokedAt ? 'removed' : 'online', k.revokedAt ? 'revoked' : 'valid')},
    {label: 'Host', cls: 'name', cell: k => hostName(ctx, k.host)},
    {label: 'Version', width: 80, cls: 'num wide', cell: k => k.version},
    {label: 'Made', width: 120, cls: 'wide', cell: k => when(k.createdAt)},
    {label: 'Until', width: 190, cls: 'wide', cell: k => html`<span class="soft">${k.expiresAt ? stamp(k.expiresAt) : 'it is replaced'}</span>`},
    {label: html`<span class="sr">Actions</span>`, width: 230, narrow: 180, cls: 'acts', cell: k => (k.revokedAt ? nothing : html`${acts.button(`rotate:${k.id}`, 'Rotate', () => then(rotateHostKey)(k.host))}
      <button class="danger" @click=${() => ask({title: `Revoke ${hostName(ctx, k.host)}`, text: 'Its connection closes at once. It comes back only with a new pairing code.', act: 'Revoke', danger: true, confirm: hostName(ctx, k.host), run: () => then(revokeHost)(k.host)})}>Revoke</button> ${acts.say(`rotate:${k.id}`)}`)},
  ],
});

const hooks = (webhooks, acts, then) => section('Webhooks', html`<button @click=${() => ask({
  title: 'Add a webhook',
  act: 'Add',
  fields: [
    {name: 'kind', label: 'Kind', options: [['discord', 'Discord'], ['generic', 'Generic, signed']]},
    {name: 'name', label: 'Name'},
    {name: 'url', label: 'URL', type: 'url'},
    {name: 'alerts', label: 'Alerts; none chosen of these and of events: all alerts', many: alertChoices},
    {name: 'events', label: 'Events, each as it happens; a busy queue has many', many: eventChoices},
  ],
  run: ({alerts, events, ...v}) => then(addWebhook)({...v, topics: [...alerts, ...events]}),
  done: made => html`<p>Added.</p>${made?.secret ? html`<p>It signs with this secret, which is not shown again:</p><pre>${made.secret}</pre>` : nothing}`,
})}>Add a webhook</button>`, webhooks.length ? shortTable({
  label: 'Webhooks',
  rows: webhooks,
  columns: [
    {label: 'State', width: 110, cls: 'wide', cell: w => pill(w.disabledReason ? 'failed' : 'online', w.disabledReason ? 'disabled' : 'enabled')},
    {label: 'Name', width: 160, narrow: 0, cls: 'name', cell: w => w.name},
    {label: 'Kind', width: 90, cls: 'wide', cell: w => w.kind},
    {label: 'URL', cls: 'name wide', cell: w => html`<span title=${w.url}>${w.url}</span>`},
    {label: 'About', width: 210, cls: 'wide', cell: w => html`<span class="soft">${aboutWords(w.topics)}</span>`},
    {label: html`<span class="sr">Actions</span>`, width: 220, narrow: 170, cls: 'acts', cell: w => html`${acts.button(`test:${w.id}`, 'Test', () => testWebhook(w.id))}
      <button class="danger" @click=${() => ask({title: `Remove ${w.name}`, act: 'Remove', danger: true, confirm: w.name, run: () => then(removeWebhook)(w.id)})}>Remove</button> ${acts.say(`test:${w.id}`)}`},
  ],
}) : html`<p class="soft">Nobody is told about alerts or events yet.</p>`);
