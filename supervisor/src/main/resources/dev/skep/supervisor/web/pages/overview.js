import {html, nothing, repeat} from '../core/lit.js';
import {count, money, plural} from '../core/format.js';
import {Acts} from '../ui/act.js';
import {when} from '../ui/bits.js';
import {unloaded} from '../ui/states.js';
import {approval, decidedCards} from './approvals.js';
import {detailOf, leadsTo, worstFirst} from './overview.model.js';

const QUIET = 'All hosts are well, no run failed in the last day, no agent waits.';
/** The machine the hub runs on: nobody else has joined. */
const FRESH = 1;
const sum = map => Object.values(map).reduce((a, b) => a + b, 0);

export const overview = {
  path: '/overview',
  title: 'Overview',
  topics: ['attention', 'approvals', 'jobs'],
  open(ctx) {
    const acts = new Acts(ctx);
    return {view: () => {
      const fleet = ctx.live.rows('fleet').get('fleet'), attention = ctx.live.rows('attention');
      if (!fleet || !attention.loaded) return unloaded(ctx.live);
      const items = worstFirst([...attention.values()]);
      return html`<div class="body"><section class="totals" aria-label="Fleet">${totals(ctx, fleet)}</section>
        <section class="part needs"><h2>${items.length ? `${plural(items.length, 'thing needs', 'things need')} you` : 'Nothing needs you'}</h2>
          ${items.length ? html`<ul class="needs">${repeat(items, i => i.id, i => need(ctx, acts, i))}</ul>` : html`<p class="soft">${QUIET}</p>`}</section>
        ${ctx.has('approvals') ? decidedCards(ctx, acts) : nothing}
        ${!items.length && sum(fleet.hosts) <= FRESH ? firstSteps(ctx) : nothing}</div>`;
    }};
  },
};

/** For whoever has just started: what to do next. */
const firstSteps = ctx => html`<section class="part"><h2>Where to go from here</h2><ol class="steps">
  <li><b>Make an agent.</b> <span class="soft">Run <code>skep agents new</code> on a host; it appears under <a class="link" href="/agents">agents</a>.</span></li>
  <li><b>Talk to it.</b> <span class="soft">Its page has a button for that, <a class="link" href="/mail">mail</a> reaches every agent of every host, and <a class="link" href="/logs">logs</a> show what they do.</span></li>
  ${ctx.has('jobs') && ctx.can('operator') ? html`<li><b>Give a host something to run.</b> <span class="soft">A command or a task for an agent, under <a class="link" href="/jobs">jobs</a>.</span></li>` : nothing}
  ${ctx.has('settings') && ctx.can('admin') ? html`<li><b>Add another machine.</b> <span class="soft"><a class="link" href="/hosts">Hosts</a> makes a code and shows the command to run there.</span></li>` : nothing}</ol></section>`;

function totals(ctx, f) {
  const agents = sum(f.agents), hosts = sum(f.hosts);
  const jobs = (f.jobs.pending ?? 0) + (f.jobs.running ?? 0);
  return [
    total('/hosts', count(hosts), 'hosts', f.hosts.offline ? html`<span class="bad">${count(f.hosts.offline)} offline</span>` : f.hosts.degraded ? html`<span class="warn">${count(f.hosts.degraded)} degraded</span>` : `${count(f.hosts.online ?? 0)} online`),
    total('/agents', count(agents), 'agents', f.agents.unreachable ? html`<span class="bad">${count(f.agents.unreachable)} unreachable</span>` : `${count(f.agents.active ?? 0)} active`),
    total('/sessions?status=running', count(f.sessions), 'sessions', 'running'),
    ctx.has('jobs') ? total('/jobs', count(jobs), 'jobs', `${count(f.jobs.running ?? 0)} running`) : nothing,
    ctx.has('nodes') ? total('/nodes', count(f.nodes), 'nodes', 'active') : nothing,
    total('/mail?state=unread', count(f.unread), 'mails', 'not read yet'),
    total('/costs', money(f.spentToday), 'spent', 'today, UTC'),
  ];
}

const total = (href, number, label, detail) => html`<a href=${href}><b>${number}</b><span>${label}</span><span class="soft">${detail}</span></a>`;

function need(ctx, acts, item) {
  if (item.kind === 'approval') {
    const waiting = ctx.live.rows('approvals').get(item.subject);
    return html`<li class="warn"><span class="mark" aria-hidden="true"></span><div><b>${item.title}</b>${waiting ? html`<ul class="waits">${approval(ctx, acts, waiting)}</ul>` : html`<p class="soft mono">${item.detail}</p>`}</div>${when(item.since)}</li>`;
  }
  return html`<li class=${item.severity}><span class="mark" aria-hidden="true"></span><div><a href=${leadsTo(item)}><b>${item.title}</b></a><p class="soft cut">${detailOf(item)}</p></div>${item.since ? when(item.since) : nothing}</li>`;
}
