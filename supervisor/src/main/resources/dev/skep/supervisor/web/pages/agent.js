import {html, nothing} from '../core/lit.js';
import {get, inOrg} from '../core/api.js';
import {agentAct} from '../core/actions.js';
import {count, money} from '../core/format.js';
import {Acts} from '../ui/act.js';
import {ask} from '../ui/dialog.js';
import {facts, pill, when} from '../ui/bits.js';
import {Loading} from '../ui/states.js';
import {shortTable} from '../ui/table.js';
import {adopt} from './adopt.js';
import {actButtons, agents} from './agents.js';
import {nameTaken, possibleActions} from './agents.model.js';
import {approvalsOf} from './approvals.js';
import {part} from './host.js';
import {sessionColumns, sessionHref} from './sessions.js';

export const agent = {
  path: '/agents/:agent',
  title: 'Agent',
  parent: agents,
  topics: ['agents', 'sessions', 'approvals', 'jobs'],
  open(ctx) {
    const id = ctx.params.agent, acts = new Acts(ctx);
    const detail = new Loading(ctx.invalidate), past = new Loading(ctx.invalidate), costs = new Loading(ctx.invalidate);
    const addUp = () => costs.run(() => get(inOrg('/view/history/costs'), {agent: id, by: 'model', count: 30}));
    const describe = () => detail.run(() => get(inOrg(`/view/agents/${encodeURIComponent(id)}`)));
    const load = () => {
      describe();
      past.run(() => get(inOrg('/view/history/sessions'), {agent: id, limit: 20}));
      addUp();
    };
    load();
    let last = null;
    const follow = a => {
      if (last && last.spentToday !== a.spentToday) addUp();
      if (last && last.version !== a.version) describe();
      last = a;
      return a;
    };
    const current = () => ctx.live.rows('agents').get(id) ?? detail.value?.agent;
    return {
      title: () => (current() ? html`<span class="mono">${current().username}<span class="soft">@${current().hostName}</span></span>` : 'Agent'),
      actions: () => {
        const a = current();
        if (!a || !ctx.can('operator')) return nothing;
        return html`${actButtons(ctx, acts, a, ' agent')}
          ${ctx.has('controls') && possibleActions(a).includes('stop') ? html`<button @click=${() => talk(a, acts)}>Talk</button>` : nothing}
          ${ctx.has('controls') && a.nameConflict ? html`<button @click=${() => rename(a, acts)}>Rename</button>` : nothing}
          ${a.status === 'unreachable' && ctx.has('settings') && ctx.can('admin') ? html`<button @click=${() => adopt(ctx, [a], {id: a.host, name: a.hostName}, a.username)}>Adopt</button>` : nothing}
          ${ctx.has('mail') ? html`<a class="button" href=${`/mail?to=${encodeURIComponent(`${a.username}@${a.hostName}`)}`}>Write mail</a>` : nothing}
          ${acts.say(...['start', 'stop', 'pause', 'resume', 'talk', 'rename'].map(x => `${x}:${a.id}`))}`;
      },
      view: () => html`<div class="body">${detail.show(d => body(ctx, acts, follow(current()), d, past, costs, load), load)}</div>`,
    };
  },
};

const talk = (a, acts) => ask({
  title: `Talk to ${a.username}`,
  text: 'It reads this at the start of its next turn.',
  act: 'Say it',
  fields: [{name: 'text', label: 'Message', rows: 5}],
  run: async v => acts.follow(`talk:${a.id}`, await agentAct(a.id, 'talk', v.text)),
});

const rename = (a, acts) => ask({
  title: `Rename ${a.username} on ${a.hostName}`,
  text: `${nameTaken(a)} An agent of another host had this name first, and mail to the bare name goes there.`,
  act: 'Rename',
  fields: [{name: 'text', label: 'New name', value: `${a.username}-${a.hostName}`}],
  run: async v => acts.follow(`rename:${a.id}`, await agentAct(a.id, 'rename', v.text)),
});

/** Those that were asked for once, each as the stream tells it now, and those that began since. */
function asOfNow(ctx, agent, asked) {
  const all = new Map(asked.map(s => [s.id, s]));
  for (const s of ctx.live.rows('sessions').values()) if (s.agent === agent) all.set(s.id, s);
  return [...all.values()].sort((x, y) => (x.startedAt < y.startedAt ? 1 : -1));
}

function body(ctx, acts, a, d, past, costs, load) {
  const spent = costs.value?.buckets.reduce((sum, b) => sum + b.micros, 0);
  return html`<section class="top">${facts([
    ['Status', html`${pill(a.status)} ${a.status === 'unreachable' ? html`<span class="soft">was ${a.lastStatus.replaceAll('_', ' ')}; its host does not answer</span>` : a.reason ? html`<span class="soft">${a.reason}</span>` : nothing}`],
    a.nameConflict ? ['Name', html`<span class="warn">${nameTaken(a)}</span>`] : null,
    ['Title', a.title ?? html`<span class="dim">none</span>`],
    ['Host', html`<a class="link mono" href=${`/hosts/${encodeURIComponent(a.host)}`}>${a.hostName}</a>`],
    a.runtime && a.runtime !== 'skep' ? ['Runtime', html`<span class="mono">${a.runtime}</span>${a.metered ? nothing : html` <span class="soft">not metered: subscription</span>`}`] : null,
    ['Model', a.model ? html`<span class="mono">${a.model}</span>` : '–'],
    ['Session', a.run ? html`<a class="link" href=${`/sessions/${a.id}/${a.run}/${a.session}`}>live log</a>` : '–'],
    ['Unread mail', html`<a class="link" href=${`/mail?agent=${encodeURIComponent(a.id)}`}>${count(a.unread)}</a>`],
    ['Spent today', money(a.spentToday)],
    ['Spent in 30 days', spent === undefined ? '…' : html`<a class="link" href=${`/costs?agent=${encodeURIComponent(a.id)}&by=model`}>${money(spent)}</a>`],
    ['Budget left', a.budgetLeft === null ? html`<span class="dim">no limit</span>` : money(a.budgetLeft)],
    ['Active', when(a.lastActive)],
  ])}</section>
  ${ctx.has('approvals') ? approvalsOf(ctx, acts, a.id) : nothing}
  ${past.show(page => part('Sessions', asOfNow(ctx, a.id, page.rows), rows => shortTable({label: 'Sessions of this agent', rows, href: sessionHref, columns: sessionColumns().filter(c => c.key !== 'agent' && c.key !== 'host')}), 'It has not run yet.', `/sessions?agent=${encodeURIComponent(a.id)}`), load)}
  <section class="part"><h2>Configuration${d.path ? html` <span class="soft mono">${d.path}</span>` : nothing}
    ${ctx.has('files') ? html`<a class="link push" href=${`/agents/${encodeURIComponent(a.id)}/configuration`}>${ctx.can('operator') ? 'Edit, versions' : 'Versions'}</a>` : nothing}</h2>
    ${d.config ? html`<pre class="boxed">${d.config}</pre>` : html`<p class="soft">Its host has not told.</p>`}</section>`;
}
