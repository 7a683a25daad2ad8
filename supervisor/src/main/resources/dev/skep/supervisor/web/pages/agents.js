import {html, nothing} from '../core/lit.js';
import {agentAct, agentsAct} from '../core/actions.js';
import {money, plural} from '../core/format.js';
import {Acts} from '../ui/act.js';
import {empty, few, pill, when} from '../ui/bits.js';
import {ask} from '../ui/dialog.js';
import {askToStopAll} from '../ui/hold.js';
import {listPage} from '../ui/list-page.js';
import {Selection} from '../ui/selection.js';
import {ACTIONS, AGENT_STATUSES, agentList, bulkNote, bulkRefusals, nameTaken, possibleActions} from './agents.model.js';

const href = agent => `/agents/${encodeURIComponent(agent.id)}`;

/** "start", "stop", … as buttons with their own progress. */
export const actButtons = (ctx, acts, agent, what = '') => (ctx.has('controls') && ctx.can('operator')
  ? possibleActions(agent).map(action => html`${acts.button(`${action}:${agent.id}`, action[0].toUpperCase() + action.slice(1) + what, () => agentAct(agent.id, action))} `)
  : nothing);

export const agents = {
  path: '/agents',
  title: 'Agents',
  topics: ['agents', 'jobs'],
  open(ctx) {
    const acts = new Acts(ctx);
    const steers = ctx.has('controls') && ctx.can('operator');
    const selection = steers ? new Selection(ctx.invalidate, a => `${a.username} on ${a.hostName}`) : undefined;
    const many = async (chosen, action, text) => {
      const answer = await agentsAct(chosen.map(a => a.id), action, text);
      if (answer.refused) refusedDialog(answer);
      return {note: bulkNote(answer)};
    };
    const forSelected = chosen => html`${ACTIONS.map(action => acts.button(`many:${action}`, action[0].toUpperCase() + action.slice(1), () => many(chosen, action)))}
      <button @click=${() => talkToMany(chosen, acts, many)}>Talk</button>${acts.say(...[...ACTIONS, 'talk'].map(x => `many:${x}`))}`;
    const page = listPage(ctx, {
      selection,
      forSelected,
      topic: 'agents',
      noun: 'agent',
      label: 'Agents',
      search: 'Filter by name, host, title or model',
      list: agentList,
      statuses: AGENT_STATUSES,
      always: ['active'],
      hostOf: a => a.host,
      keep: a => a.kind === 'agent' && !a.removed,
      href,
      rowClass: a => (a.status === 'unreachable' ? 'away' : ''),
      columns: () => [
        {key: 'status', label: 'Status', width: 156, narrow: 150, cls: 'keep', cell: a => pill(a.status)},
        {key: 'name', label: 'Agent', cls: 'name keep', cell: a => html`<a href=${href(a)}>${a.username}</a>${a.nameConflict ? html` <span class="warn" title=${nameTaken(a)}>name taken</span>` : nothing}`},
        {key: 'host', label: 'Host', width: 126, cls: 'name wide', cell: a => html`<a href=${`/hosts/${encodeURIComponent(a.host)}`}>${a.hostName}</a>`},
        {key: 'model', label: 'Model', cls: 'wide', cell: a => html`${a.runtime && a.runtime !== 'skep' ? html`<span class="tag" title=${a.metered ? 'what thinks for it' : 'what thinks for it; not metered: subscription'}>${a.runtime}${a.metered ? '' : ' *'}</span> ` : nothing}<span class="tag">${a.model ?? '–'}</span>`},
        {key: 'session', label: 'Session', width: 68, cls: 'wide', sorts: false, cell: a => (a.run ? html`<a class="link" href=${`/sessions/${a.id}/${a.run}/${a.session}`}>log</a>` : '–')},
        {key: 'unread', label: 'Unread', width: 68, cls: 'num wide', cell: a => few(a.unread)},
        {key: 'spent', label: 'Today', width: 76, cls: 'num', cell: a => money(a.spentToday)},
        {key: 'left', label: 'Left', width: 76, cls: 'num wide', cell: a => money(a.budgetLeft)},
        {key: 'active', label: 'Active', width: 100, cls: 'wide', cell: a => when(a.lastActive)},
        {key: 'do', label: html`<span class="sr">Actions</span>`, width: 200, cls: 'wide acts', sorts: false, cell: a => acts.cell(ACTIONS.map(x => `${x}:${a.id}`), actButtons(ctx, acts, a))},
      ],
      none: empty('There is no agent yet.', ctx.has('files') && ctx.can('operator') ? html`<a class="link" href="/agents/new">Make the first one</a>, or run <code>skep agents new</code> on a host.` : html`Run <code>skep agents new</code> on a host, or put a YAML file into its <code>agents</code> folder.`),
    });
    return {...page, actions: () => html`${ctx.has('files') && ctx.can('operator') ? html`<a class="button" href="/agents/new">New agent</a>` : nothing}
      ${steers && ctx.has('jobs') ? html`<button class="danger" @click=${askToStopAll}>Stop all</button>` : nothing}`};
  },
};

const talkToMany = (chosen, acts, many) => ask({
  title: `Talk to ${plural(chosen.length, 'agent')}`,
  text: 'Each reads this at the start of its next turn.',
  act: 'Say it',
  fields: [{name: 'text', label: 'Message', rows: 5}],
  run: async v => acts.follow('many:talk', await many(chosen, 'talk', v.text)),
});

const refusedDialog = answer => ask({
  title: bulkNote(answer),
  text: html`<ul>${bulkRefusals(answer).map(r => html`<li><b class="mono">${r.name}</b>: ${r.reason}</li>`)}</ul>`,
  act: 'Close',
  run: async () => {},
});
