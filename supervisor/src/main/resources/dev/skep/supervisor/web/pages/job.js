import {html, nothing} from '../core/lit.js';
import {get, inOrg} from '../core/api.js';
import {count, lasted, span} from '../core/format.js';
import {serverNow} from '../core/clock.js';
import {Acts} from '../ui/act.js';
import {facts, pill, stamp, when} from '../ui/bits.js';
import {Loading} from '../ui/states.js';
import {shortTable} from '../ui/table.js';
import {calledBy} from '../ui/people.js';
import {canCancel, jobActs, jobs} from './jobs.js';
import {resultText} from './job.model.js';
import {part} from './host.js';
import {hostName} from './nodes.js';

const MOST_PIECES = 5_000;

export const job = {
  path: '/jobs/:job',
  title: 'Job',
  parent: jobs,
  topics: ['jobs'],
  needs: 'jobs',
  open(ctx) {
    const id = ctx.params.job, acts = new Acts(ctx);
    const detail = new Loading(ctx.invalidate);
    const output = {run: '', lines: []};
    let seen = '';
    const load = () => detail.run(() => get(inOrg(`/view/jobs/${encodeURIComponent(id)}`)));
    load();
    const current = () => ctx.live.rows('jobs').get(id) ?? detail.value?.job;
    const shownRun = () => ctx.query.run ?? detail.value?.runs[0]?.id ?? '';
    /** What the shown run printed comes with the stream, from its first piece on. */
    const follow = () => {
      const run = shownRun();
      if (!run || output.run === run) return;
      Object.assign(output, {run, lines: []});
      ctx.live.follow({
        kind: 'run',
        filter: {run},
        line: () => output.lines.at(-1)?.id ?? '',
        arrived: lines => {
          if (output.run === run) output.lines = output.lines.concat(lines.filter(l => l.id > (output.lines.at(-1)?.id ?? ''))).slice(-MOST_PIECES);
        },
      });
    };
    return {
      title: () => (current() ? html`<span class="mono">${current().type}</span>` : 'Job'),
      actions: () => (current() ? jobActs(ctx, acts, current()) : nothing),
      close: () => { ctx.live.log = null; },
      queryChanged: follow,
      view: () => {
        const now = current();
        const state = now ? `${now.status}${now.attempt}` : '';
        if (detail.value && state !== seen) {
          if (seen) load();
          seen = state;
          follow();
        }
        return html`<div class="body">${detail.show(d => body(ctx, now, d, output, shownRun()), load)}</div>`;
      },
    };
  },
};

function body(ctx, j, d, output, shown) {
  return html`<section class="top">${facts([
    ['Status', html`${pill(j.status)}${j.problem ? html` <span class="soft">${j.problem}</span>` : nothing}`],
    ['Host', html`<a class="link mono" href=${`/hosts/${encodeURIComponent(j.host)}`}>${hostName(ctx, j.host)}</a>`],
    ['Created', html`${when(j.createdAt)} <span class="soft">by ${calledBy(ctx, j.createdBy)}</span>`],
    ['Started', when(j.startedAt)],
    ['Took', j.startedAt ? lasted(j.startedAt, j.finishedAt ?? serverNow()) : '–'],
    ['Priority', j.priority],
    ['Attempts', d.terms.maxAttempts > 1 ? `${j.attempt} of ${count(d.terms.maxAttempts)}` : count(j.attempt)],
    d.terms.timeoutSeconds ? ['Time limit', span(d.terms.timeoutSeconds)] : null,
    d.terms.runAt ? ['Not before', stamp(d.terms.runAt)] : null,
    ['Id', html`<span class="mono">${j.id}</span>`],
  ])}</section>
  ${part('Runs', d.runs, rows => shortTable({
    label: 'Runs of this job',
    rows,
    href: r => `/jobs/${encodeURIComponent(j.id)}?run=${encodeURIComponent(r.id)}`,
    rowClass: r => (r.id === shown ? 'chosen' : ''),
    columns: [
      {label: 'Status', width: 120, cell: r => pill(r.status)},
      {label: 'Attempt', width: 84, cls: 'num', cell: r => r.attempt},
      {label: 'Host', width: 140, cls: 'name wide', cell: r => hostName(ctx, r.host)},
      {label: 'Started', width: 190, cls: 'wide', cell: r => (r.startedAt ? html`<span class="soft">${stamp(r.startedAt)}</span>` : '–')},
      {label: 'Took', width: 110, cls: 'num', cell: r => (r.startedAt ? lasted(r.startedAt, r.finishedAt ?? serverNow()) : '–')},
      {label: 'Result', cls: 'name wide', cell: r => html`<span title=${r.result ?? ''}>${resultText(r.result ?? '')}</span>`},
    ],
  }), 'It waits for its first run.')}
  <section class="part"><h2>Output</h2>${output.lines.length
    ? html`<pre class="boxed output" tabindex="0" aria-label="Output">${output.lines.map(p => html`<span class=${p.stream === 'stderr' ? 'warn' : ''}>${p.text}</span>`)}</pre>`
    : html`<p class="soft">${canCancel(j) ? 'Nothing was printed yet.' : 'It printed nothing.'}</p>`}</section>
  <section class="part"><h2>Payload</h2><pre class="boxed">${pretty(d.payload)}</pre></section>`;
}

function pretty(json) {
  try {
    return JSON.stringify(JSON.parse(json), null, 2);
  } catch {
    return json;
  }
}
