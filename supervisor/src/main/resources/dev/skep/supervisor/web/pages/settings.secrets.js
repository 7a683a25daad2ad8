import {html, nothing} from '../core/lit.js';
import {get, inOrg} from '../core/api.js';
import {removeSecret, secretRecipients, setSecret} from '../core/actions.js';
import {ask} from '../ui/dialog.js';
import {shortTable} from '../ui/table.js';
import {problem, purpose, seal, split, standing} from './secrets.model.js';

/** Of many hosts, those that can be ticked; more are reached by a label. */
const TICKED = 50;

/** Nothing where a process only looks at the database of a hub. */
export const loadSecrets = () => get(inOrg('/secrets')).then(answer => answer.secrets, problem => {
  if (problem.status === 404) return null;
  throw problem;
});

/** Secrets for agents' files. What is typed here is sealed here; the hub gets the seals. */
export const secrets = (ctx, all, then) => html`<section class="part"><h2>Secrets<span class="push"><button @click=${() => add(ctx, then)}>Set a secret</button></span></h2>
  <p class="soft">Agents whose files list one use it as <code>${'${secret.NAME}'}</code>. A value is sealed in the browser for the key of each host, and nothing shows it again. Whoever runs this hub also makes this page: to rely on nobody but the hosts, use <code>skep secrets set --fingerprint</code>.</p>
  ${all.length ? shortTable({
    label: 'Secrets',
    rows: all,
    columns: [
      {label: 'Name', cls: 'name', cell: s => html`<span class="mono">${s.name}</span>`},
      {label: 'Hosts', cls: 'wide', cell: s => html`<span class="soft">${standing(s.hosts)}</span>`},
      {label: html`<span class="sr">Actions</span>`, width: 200, narrow: 168, cls: 'acts', cell: s => html`<button @click=${() => change(s, then)}>Set anew</button>
        <button class="danger" @click=${() => ask({title: `Remove ${s.name}`, text: 'Its hosts forget it; agents that use it start without it.', act: 'Remove', danger: true, confirm: s.name, run: () => then(removeSecret)(s.name)})}>Remove</button>`},
    ],
  }) : html`<p class="soft">None yet.</p>`}</section>`;

const add = (ctx, then) => {
  const hosts = [...ctx.live.rows('hosts').values()].filter(h => h.kind !== 'hub' && (!h.allows || h.allows.includes('agents'))).sort((a, b) => (a.name < b.name ? -1 : 1));
  return ask({
    title: 'Set a secret',
    act: 'Seal and send',
    fields: [
      {name: 'name', label: 'Name, as DEPLOY_TOKEN'},
      {name: 'value', label: 'Value', type: 'password'},
      {name: 'hosts', label: hosts.length ? 'Hosts that allow it' : 'No host allows this hub to bring what agents read', many: hosts.slice(0, TICKED).map(h => [`host:${h.id}`, h.name])},
      {name: 'label', label: 'Or all hosts with a label, as env=prod', required: false},
    ],
    run: v => then(send)(v.name, v.value, [...v.hosts, ...(v.label ? [`label:${v.label.trim().replace('=', ':')}`] : [])]),
    done: said,
  });
};

const change = (secret, then) => ask({
  title: `Set ${secret.name} anew`,
  text: 'Wherever it is. Agents use the new value from their next start.',
  act: 'Seal and send',
  fields: [{name: 'value', label: 'Value', type: 'password'}],
  run: v => then(send)(secret.name, v.value, []),
  done: said,
});

const said = ({open, shut}) => html`<p>Sealed for ${open.map(r => r.hostName).join(', ')}.</p>${shut.length ? html`<p class="problem">Not for ${shut.join(', ')}: it does not allow this hub ‘agents’, or has no key.</p>` : nothing}`;

async function send(name, value, targets) {
  const wrong = problem(name, value);
  if (wrong) throw new Error(wrong);
  const wanted = await secretRecipients(name, targets), parts = split(wanted.recipients);
  if (!parts.open.length) throw new Error('No host that allows it was chosen; nothing was changed.');
  const sealed = {};
  for (const r of parts.open) sealed[r.hostId] = await seal(r.publicKey, value, purpose(r.hostId, name, wanted.version));
  await setSecret(name, {version: wanted.version, targets: wanted.targets, sealed});
  return parts;
}
