import {html, nothing} from '../core/lit.js';
import {get, inOrg} from '../core/api.js';
import {cancelJob, createJob, retryJob} from '../core/actions.js';
import {lasted} from '../core/format.js';
import {serverNow} from '../core/clock.js';
import {Acts} from '../ui/act.js';
import {ask} from '../ui/dialog.js';
import {empty, pill, when} from '../ui/bits.js';
import {noHost, workingHosts} from '../ui/host-filter.js';
import {listPage} from '../ui/list-page.js';
import {Loading, moreButton} from '../ui/states.js';
import {calledBy} from '../ui/people.js';
import {isThere} from './hosts.model.js';
import {hostName} from './nodes.js';

const href = j => `/jobs/${encodeURIComponent(j.id)}`;
export const JOB_STATUSES = ['running', 'pending', 'failed', 'timed_out', 'lost', 'cancelled', 'succeeded'];
const RANK = {failed: 0, timed_out: 1, lost: 2, running: 3, pending: 4, cancelled: 5, succeeded: 6};
export const canCancel = j => j.status === 'pending' || j.status === 'running';

/** A run that is under way ends when its host hears of it. */
async function cancel(j) {
  await cancelJob(j.id);
  return j.status === 'running' ? {note: 'Asked to stop'} : null;
}

export const jobActs = (ctx, acts, j) => (ctx.can('operator')
  ? acts.cell([`cancel:${j.id}`, `retry:${j.id}`], canCancel(j) ? acts.button(`cancel:${j.id}`, 'Cancel', () => cancel(j)) : acts.button(`retry:${j.id}`, 'Retry', () => retryJob(j.id)))
  : nothing);

export const jobColumns = ctx => [
  {key: 'status', label: 'Status', width: 116, cell: j => pill(j.status)},
  {key: 'type', label: 'Type', width: 124, narrow: 0, cls: 'name', cell: j => html`<a href=${href(j)}>${j.type}</a>`},
  {key: 'summary', label: 'What', cls: 'wide', cell: j => html`<span class="soft" title=${j.summary ?? ''}>${j.summary ?? ''}</span>${j.problem ? html` <span class="bad" title=${j.problem}>${j.problem}</span>` : nothing}`},
  {key: 'host', label: 'Host', width: 130, cls: 'name wide', cell: j => html`<a href=${`/hosts/${encodeURIComponent(j.host)}`}>${hostName(ctx, j.host)}</a>`},
  {key: 'attempt', label: 'Attempt', width: 76, cls: 'num wide', cell: j => j.attempt},
  {key: 'by', label: 'By', width: 90, cls: 'wide', cell: j => calledBy(ctx, j.createdBy)},
  {key: 'took', label: 'Took', width: 98, cls: 'num wide', cell: j => (j.startedAt ? lasted(j.startedAt, j.finishedAt ?? serverNow()) : '–')},
  {key: 'created', label: 'Created', width: 106, cell: j => when(j.createdAt)},
];

/** The payload goes with the type as long as nobody has written one. */
const typeChosen = types => ({type, payload}) => {
  if (types.some(t => t.payload === payload.value)) payload.value = types.find(t => t.type === type.value).payload;
};

/** How the job is to be done, with what was left empty left out. */
const terms = v => ({
  priority: Number(v.priority),
  maxAttempts: Number(v.maxAttempts),
  ...(v.timeoutSeconds ? {timeoutSeconds: Number(v.timeoutSeconds)} : {}),
  ...(v.runAt ? {runAt: new Date(v.runAt).toISOString()} : {}),
});

/** Asks for a new job, for a host or one of its servers. */
export async function newJob(ctx) {
  const [hosts, servers] = await Promise.all([workingHosts(ctx.invalidate), ctx.has('servers') ? get(inOrg('/view/servers')).then(list => list.rows, () => []) : []]);
  if (!hosts.length) return noHost('New job');
  const types = ctx.about.jobTypes;
  return ask({
    title: 'New job',
    text: html`A host runs only the command lines that its own file <code>allowed-commands</code> names; a new host has none. To allow this one, run on the host:
      <code>echo "uptime" >> ~/.skep/allowed-commands</code>`,
    act: 'Create',
    fields: [
      {name: 'target', label: 'Where', options: [...[...hosts].sort((a, b) => isThere(b) - isThere(a)).map(h => [`host:${h.id}`, `host ${h.name}${isThere(h) ? '' : ', offline'}`]), ...servers.map(s => [`server:${s.id}`, `server ${s.name} on ${hostName(ctx, s.host)}`])]},
      {name: 'type', label: 'Type', options: types.map(t => [t.type, t.does ? `${t.type}: ${t.does}` : t.type]), chosen: typeChosen(types)},
      {name: 'payload', label: 'Payload, a JSON object', rows: 5, value: types[0].payload},
      {name: 'priority', label: 'Priority', type: 'number', value: '0'},
      {name: 'maxAttempts', label: 'Attempts, if it fails', type: 'number', value: '1'},
      {name: 'timeoutSeconds', label: 'Time limit in seconds; empty for none (agent.task: an hour)', type: 'number', required: false},
      {name: 'runAt', label: 'Not before, by your clock; empty for at once', type: 'datetime-local', required: false},
    ],
    run: async v => {
      let payload;
      try {
        payload = JSON.parse(v.payload);
      } catch {
        throw new Error('The payload is not JSON; write an object such as {"command": "uptime"}.');
      }
      const [kind, id] = [v.target.slice(0, v.target.indexOf(':')), v.target.slice(v.target.indexOf(':') + 1)];
      const made = await createJob({[kind === 'host' ? 'hostId' : 'serverInstanceId']: id, type: v.type, payload, ...terms(v)});
      ctx.go(`/jobs/${encodeURIComponent(made.id)}`);
    },
  });
}

export const jobs = {
  path: '/jobs',
  title: 'Jobs',
  topics: ['jobs'],
  needs: 'jobs',
  open(ctx) {
    const acts = new Acts(ctx), older = new Loading(ctx.invalidate);
    const rows = () => ctx.live.rows('jobs');
    const more = () => older.run(async () => {
      const before = older.value?.page.next ?? [...rows().values()].map(j => j.id).sort()[0];
      const answer = await get(inOrg('/view/history/jobs'), {before, host: ctx.query.host, status: ctx.query.status});
      rows().apply({put: answer.page.rows, drop: []});
      return answer;
    });
    /** Choosing a state or a host loads the newest of it, which may be older than the window. */
    let asked = '[null,null]', counted = null;
    const narrow = () => {
      const question = JSON.stringify([ctx.query.host ?? null, ctx.query.status ?? null]);
      if (question === asked) return;
      asked = question;
      older.value = null;
      counted = null;
      if (!ctx.query.host && !ctx.query.status) return;
      older.run(async () => {
        const answer = await get(inOrg('/view/history/jobs'), {host: ctx.query.host, status: ctx.query.status});
        rows().apply({put: answer.page.rows, drop: []});
        counted = ctx.query.host ? answer.counts : null;
        return answer;
      });
    };
    const counts = () => {
      const all = ctx.query.host ? counted : ctx.live.rows('fleet').get('fleet')?.jobs;
      return all ? {counts: all, total: Object.values(all).reduce((a, b) => a + b, 0)} : {};
    };
    const page = listPage(ctx, {
      topic: 'jobs',
      noun: 'job',
      label: 'Jobs',
      search: 'Filter by type or text',
      list: {
        sort: 'status',
        status: j => j.status,
        text: j => `${j.type} ${j.summary ?? ''} ${calledBy(ctx, j.createdBy)} ${hostName(ctx, j.host)}`.toLowerCase(),
        keys: {
          status: j => `${RANK[j.status] ?? 9}${String(1e15 - Date.parse(j.createdAt))}`,
          type: j => j.type,
          summary: j => j.summary,
          host: j => hostName(ctx, j.host),
          attempt: j => j.attempt,
          by: j => calledBy(ctx, j.createdBy),
          took: j => (j.startedAt ? (j.finishedAt ? Date.parse(j.finishedAt) : serverNow()) - Date.parse(j.startedAt) : null),
          created: j => j.createdAt,
        },
      },
      statuses: JOB_STATUSES,
      counted: counts,
      always: ['running', 'pending', 'failed'],
      hostOf: j => j.host,
      columns: c => [...jobColumns(c), {key: 'do', label: html`<span class="sr">Actions</span>`, width: 110, cls: 'wide acts', sorts: false, cell: j => jobActs(ctx, acts, j)}],
      href,
      after: () => ((older.value ? older.value.page.next !== null : rows().size >= 300)
        ? moreButton(older, 'Load older jobs', more) : nothing),
      none: empty('The queue is empty.', html`Create a job here, or with <code>skep jobs create</code>.`),
    });
    narrow();
    page.queryChanged = narrow;
    page.actions = () => (ctx.can('operator') ? html`<button @click=${() => newJob(ctx)}>New job</button>` : nothing);
    return page;
  },
};
