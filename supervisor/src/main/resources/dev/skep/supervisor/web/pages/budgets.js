import {html, nothing} from '../core/lit.js';
import {del, get, inOrg, post, put} from '../core/api.js';
import {serverNow} from '../core/clock.js';
import {money, span} from '../core/format.js';
import {ask} from '../ui/dialog.js';
import {meter} from '../ui/bits.js';
import {Loading, problemState} from '../ui/states.js';
import {shortTable} from '../ui/table.js';
import {forecast, micros, whom, windowSeconds} from './budgets.model.js';
import {hostName} from './nodes.js';

/** How often the amounts are asked for while somebody looks. */
const AGAIN = 10_000;

/** The budgets of this hub, as a section of another page; nothing where there is no hub. */
export function budgets(ctx) {
  const data = new Loading(ctx.invalidate);
  let asked = 0;
  const load = () => {
    asked = performance.now();
    data.run(() => get(inOrg('/budgets')));
  };
  const then = work => async (...args) => { const result = await work(...args); load(); return result; };
  return () => {
    if (!ctx.has('jobs')) return nothing;
    if (!data.busy && (!asked || performance.now() - asked > AGAIN)) load();
    if (data.problem && data.value === null) return data.problem.status === 404 ? nothing : problemState(data.problem, load);
    return data.value ? section(ctx, data.value, then) : nothing;
  };
}

const section = (ctx, all, then) => html`<section class="part"><h2>Budgets<span class="push">${ctx.can('admin') ? html`<button @click=${() => add(ctx, then)}>Add a budget</button>` : nothing}</span></h2>
  ${all.closed ? html`<p class="problem" role="status">Nothing is lent at the moment: ${all.closed}. Hosts spend what they hold. ${ctx.can('admin') ? html`<button @click=${() => open(then)}>Lend again</button>` : nothing}</p>` : nothing}
  ${all.budgets.length ? table(ctx, all, then) : html`<p class="soft">None. A budget limits what the agents of the org, of a host, of the hosts with a label or one agent spend in a rolling window.</p>`}</section>`;

const agentName = (ctx, id) => ctx.live.rows('agents')?.get(id)?.username ?? id;

const table = (ctx, all, then) => shortTable({
  label: 'Budgets',
  rows: all.budgets,
  columns: [
    {label: 'Budget', cls: 'name keep', cell: b => html`<span title=${`Belongs to hub ${b.hubId}`}>${b.name}</span> <span class="soft">${whom(b, id => hostName(ctx, id), id => agentName(ctx, id))}</span>`},
    {label: 'Limit', width: 130, narrow: 104, cls: 'num', cell: b => html`${money(b.amountMicros)} <span class="soft">/ ${span(b.windowSeconds)}</span>`},
    {label: 'Spent', width: 130, narrow: 90, cls: 'num', cell: b => html`${money(b.spentMicros)} ${meter(Math.min(100, Math.round(b.spentMicros / b.amountMicros * 100)))}`},
    {label: 'Held', width: 84, cls: 'num wide', cell: b => money(b.leasedMicros)},
    {label: 'Free', width: 84, cls: 'num wide', cell: b => money(b.freeMicros)},
    {label: 'Forecast', width: 250, cls: 'wide', cell: b => html`<span class=${b.exhausted ? '' : 'soft'}>${forecast(b, serverNow())}</span>${b.unheardHostIds.length ? html`<br><span class="soft" title=${b.unheardHostIds.map(id => hostName(ctx, id)).join(', ')}>not yet at ${b.unheardHostIds.length} hosts</span>` : nothing}`},
    {label: html`<span class="sr">Actions</span>`, width: 170, narrow: 150, cls: 'acts', cell: b => (ctx.can('admin') ? html`<button @click=${() => change(b, then)}>Change</button> <button class="danger" @click=${() => remove(b, then)}>Remove</button>` : nothing)},
  ],
});

const add = (ctx, then) => ask({
  title: 'Add a budget',
  text: 'This hub lends it to hosts in parts. A host spends only what it holds, also while it is away.',
  act: 'Add',
  fields: [
    {name: 'name', label: 'Name'},
    {name: 'amount', label: 'Amount in dollars, such as 25.00'},
    {name: 'window', label: 'In any stretch of time as long as, such as 8h, 1d or 30d', value: '1d'},
    {name: 'whom', label: 'For', value: 'org', options: [['org', 'the org'], ...hosts(ctx)]},
    {name: 'label', label: 'Or for the hosts with a label, such as team:blue', required: false},
  ],
  run: v => then(body => post(inOrg('/budgets'), body))({
    name: v.name,
    amountMicros: micros(v.amount),
    windowSeconds: windowSeconds(v.window),
    ...(v.label ? {scope: 'label', subject: v.label} : v.whom === 'org' ? {scope: 'org'} : {scope: 'host', subject: v.whom}),
  }),
});

const hosts = ctx => [...(ctx.live.rows('hosts')?.values() ?? [])].filter(h => h.kind !== 'hub').map(h => [h.id, `host ${h.name}`]);

const change = (b, then) => ask({
  title: `Change ${b.name}`,
  text: 'What hosts hold already stays with them until it is spent, returned or over.',
  act: 'Save',
  fields: [
    {name: 'name', label: 'Name', value: b.name},
    {name: 'amount', label: 'Amount in dollars', value: (b.amountMicros / 1e6).toFixed(2)},
  ],
  run: v => then(body => put(inOrg(`/budgets/${b.id}`), body))({name: v.name, amountMicros: micros(v.amount)}),
});

const remove = (b, then) => ask({
  title: `Remove ${b.name}`,
  text: 'It limits nobody any more, as soon as the hosts hear of it.',
  act: 'Remove',
  danger: true,
  confirm: b.name,
  run: () => then(del)(inOrg(`/budgets/${b.id}`)),
});

const open = then => ask({
  title: 'Lend again',
  text: 'This hub was put back to an earlier state and waits for hosts to tell what they hold. Only you know whether the others are gone for good: what they still spend is not counted.',
  act: 'Lend again',
  danger: true,
  run: () => then(post)(inOrg('/budgets/open')),
});
