import {html, nothing} from '../core/lit.js';
import {agentAct} from '../core/actions.js';
import {money} from '../core/format.js';
import {Acts} from '../ui/act.js';
import {empty, few, pill, when} from '../ui/bits.js';
import {listPage} from '../ui/list-page.js';
import {ACTIONS, AGENT_STATUSES, agentList, nameTaken, possibleActions} from './agents.model.js';

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
    const page = listPage(ctx, {
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
    page.actions = () => (ctx.has('files') && ctx.can('operator') ? html`<a class="button" href="/agents/new">New agent</a>` : nothing);
    return page;
  },
};
