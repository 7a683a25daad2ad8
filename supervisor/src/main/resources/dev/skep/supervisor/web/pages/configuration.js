/** An agent's file: as it is, its versions, and another one. */
import {html, nothing} from '../core/lit.js';
import {get, inOrg} from '../core/api.js';
import {editAgent, removeAgent, restoreAgent, rollBackAgent} from '../core/actions.js';
import {Acts} from '../ui/act.js';
import {ask} from '../ui/dialog.js';
import {empty, when} from '../ui/bits.js';
import {diffView, fileText, problemList, toLine} from '../ui/file-editor.js';
import {Loading} from '../ui/states.js';
import {agent} from './agent.js';

const KIND = {'agent.create': 'making it', 'agent.edit': 'an edit', 'agent.remove': 'its removal', 'agent.restore': 'its return'};

export const configuration = {
  path: '/agents/:agent/configuration',
  title: 'Configuration',
  parent: agent,
  needs: 'files',
  topics: ['agents', 'jobs'],
  open(ctx) {
    const id = ctx.params.agent, path = inOrg(`/agents/${encodeURIComponent(id)}`), acts = new Acts(ctx);
    const file = new Loading(ctx.invalidate), versions = new Loading(ctx.invalidate);
    const state = {draft: null, base: null, reason: '', restart: false, problems: [], stale: null, problem: '', note: null, busy: false, diff: null};
    const load = () => {
      file.run(() => get(path));
      versions.run(() => get(`${path}/versions`));
    };
    load();
    let seen = null;
    /** There is another version, or it was removed. What somebody is writing stays. */
    const follow = () => {
      const row = ctx.live.rows('agents').get(id);
      if (!row) return;
      const now = `${row.fileVersion} ${row.removed}`;
      if (seen !== null && seen !== now) load();
      seen = now;
    };
    const change = patch => {
      Object.assign(state, patch);
      ctx.invalidate();
    };
    const clean = {draft: null, base: null, reason: '', problems: [], stale: null, problem: ''};
    const answered = (result, text) => {
      // What is typed next is made from what was saved, not from what is on its way.
      if (result.version && text !== undefined && file.value?.version) file.value = {...file.value, version: {...file.value.version, number: result.number, version: result.version, file: text}};
      change({...clean, busy: false, note: result.outcome === 'pending'
        ? html`Its host is not connected; it gets this when it returns. <a class="link" href=${`/jobs/${encodeURIComponent(result.jobId)}`}>The job</a>`
        : `${result.message}${result.number ? `: version ${result.number}` : ''}`});
      load();
    };
    const refused = problem => {
      if (problem.code === 'version_changed') return change({busy: false, stale: problem.more.current, problem: problem.message});
      if (problem.code === 'invalid_agent_file') {
        change({busy: false, problems: problem.more.problems, problem: ''});
        if (problem.more.problems.length) toLine(problem.more.problems[0].line);
        return undefined;
      }
      return change({busy: false, problem: problem.message});
    };
    const attempt = async (work, text) => {
      if (state.busy) return;
      change({busy: true, problem: '', problems: [], stale: null, note: null});
      try {
        answered(await work(), text);
      } catch (problem) {
        refused(problem);
      }
    };
    const how = () => ({...(state.reason ? {reason: state.reason} : {}), ...(state.restart ? {restart: true} : {})});
    const save = version => attempt(() => editAgent(id, state.base ?? version, {file: state.draft, ...how()}), state.draft);
    const compare = async (from, to) => {
      try {
        const [before, after] = await Promise.all([from, to].map(n => (n ? get(`${path}/versions/${n}`) : {file: ''})));
        change({diff: {from, to, before: before.file, after: after.file}});
      } catch (problem) {
        change({problem: problem.message});
      }
    };
    const model = {ctx, id, acts, state, change, clean, save, compare, attempt, load};
    return {
      title: () => (file.value ? html`<span class="mono">${file.value.username}<span class="soft">@${file.value.hostName}</span></span>` : 'Configuration'),
      actions: () => (file.value && ctx.can('operator') ? removal(model, file.value) : nothing),
      view: () => {
        follow();
        return html`<div class="body">${file.show(f => body(model, f, versions), load)}</div>`;
      },
    };
  },
};

function removal({id, attempt, state}, f) {
  if (f.removed) return html`<button @click=${() => attempt(() => restoreAgent(id))}>Restore agent</button>`;
  if (!f.version) return nothing;
  return html`<button class="danger" aria-disabled=${state.busy ? 'true' : nothing} @click=${() => ask({
    title: `Remove ${f.username} of ${f.hostName}`,
    text: 'It stops, and is not started or mailed any more. Its file and its history stay; it can be restored.',
    act: 'Remove',
    danger: true,
    confirm: f.username,
    fields: [{name: 'reason', label: 'Why', required: false}],
    run: v => attempt(() => removeAgent(id, f.version.version, v.reason ? {reason: v.reason} : {})),
  })}>Remove agent</button>`;
}

function body(model, f, versions) {
  const {ctx, state, change, clean, save} = model, can = ctx.can('operator') && !f.removed;
  if (!f.version) return empty('Its host has told no version of its file yet.', 'It does so when it runs this version of Skep and is connected.');
  const text = state.draft ?? f.version.file, edited = state.draft !== null && state.draft !== f.version.file;
  const reads = /\$\{env\./.test(text);
  return html`${f.pending.map(p => html`<p class="pending" role="status">Waits for its host: ${KIND[p.type] ?? p.type} by ${p.by}${p.reason ? html` (${p.reason})` : nothing}, ${when(p.createdAt)}. <a class="link" href=${`/jobs/${encodeURIComponent(p.job)}`}>The job</a></p>`)}
    ${f.removed ? html`<p class="pending">This agent is removed; its file and versions stay.</p>` : nothing}
    <section class="part editor"><h2>File <span class="soft mono">${f.path ?? ''}</span><span class="soft">version ${f.version.number}</span></h2>
      ${fileText({text, label: 'The agent’s file', readonly: !can, typed: draft => change({draft, base: state.base ?? f.version.version, note: null})})}
      ${problemList(state.problems)}
      ${state.stale ? conflict(model) : nothing}
      ${state.problem && !state.stale ? html`<p class="problem" role="alert">${state.problem}</p>` : nothing}
      ${can ? html`<div class="saving">
        <label class="grow">Why<input name="reason" autocomplete="off" maxlength="500" placeholder="what changes, for who reads the versions" .value=${state.reason} @input=${e => { state.reason = e.target.value; }}></label>
        <label class="tick"><input type="checkbox" name="restart" .checked=${state.restart} @change=${e => change({restart: e.target.checked})}>Restart it with the new file at once</label>
        <button class="primary" aria-disabled=${state.busy || !edited ? 'true' : nothing} @click=${() => (edited ? save(f.version.version) : change({note: 'Nothing is changed yet.'}))}>${state.busy ? 'Working…' : 'Save'}</button>
        ${edited ? html`<button @click=${() => change(clean)}>Discard changes</button>
          <button @click=${() => change({diff: {from: f.version.number, to: 'yours', before: f.version.file, after: text}})}>Show changes</button>` : nothing}
        ${state.note ? html`<span class="note" role="status">${state.note}</span>` : nothing}</div>
        <p class="soft hint">Applies to its next start${state.restart ? ', which is now if it is at work: its turn ends' : ''}. ${reads ? html`A file that was changed from here reads only those of <code>\${env.…}</code> that its host lists in <code>remote-env</code>.` : nothing}</p>` : nothing}
    </section>
    ${state.diff ? html`<section class="part"><h2>What changed from ${state.diff.from || 'nothing'} to ${state.diff.to}<button class="quiet push" @click=${() => change({diff: null})}>Close</button></h2>
      ${diffView(state.diff.before, state.diff.after, 'What changed')}</section>` : nothing}
    ${versions.show(v => history(model, f, v.versions, can))}`;
}

/** Somebody else was first: both texts are shown, and nothing is lost. */
function conflict({state, change}) {
  const theirs = state.stale;
  return html`<div class="conflict" role="alert"><p><b>Somebody was first.</b> ${state.problem}</p>
    ${diffView(state.draft, theirs.file, 'From your text to theirs')}
    <div class="row"><button @click=${() => change({base: theirs.version, stale: null, problem: '', note: 'Your text stands on theirs now; saving replaces it.'})}>Keep my text</button>
      <button @click=${() => change({draft: theirs.file, base: theirs.version, stale: null, problem: ''})}>Take theirs</button></div></div>`;
}

function history({compare, attempt, id}, f, rows, can) {
  const older = n => rows.find(v => v.number < n)?.number ?? 0;
  return html`<section class="part"><h2>Versions <span class="soft">the newest 50 are kept</span></h2>
    <div class="versionlist" tabindex="0" role="group" aria-label="Versions"><table class="versions"><thead><tr><th class="num">Version</th><th>When</th><th>Who</th><th>Why</th><th><span class="sr">Actions</span></th></tr></thead>
    <tbody>${rows.map(v => html`<tr><td class="num">${v.number}${v.number === f.version.number ? html` <span class="soft">now</span>` : nothing}</td>
      <td>${when(v.createdAt)}</td><td>${v.author ?? html`<span class="soft">on the host</span>`}</td><td class="why">${v.reason ?? ''}</td>
      <td class="do"><button @click=${() => compare(older(v.number), v.number)}>Changes</button>
        ${v.number === f.version.number ? nothing : html`<button @click=${() => compare(v.number, f.version.number)}>Against now</button>`}
        ${can && v.number !== f.version.number ? html`<button @click=${() => ask({
          title: `Back to version ${v.number}`,
          text: `The text of version ${v.number} becomes a new version. It applies to the agent’s next start.`,
          act: 'Roll back',
          fields: [{name: 'reason', label: 'Why', value: `back to version ${v.number}`}],
          run: values => attempt(() => rollBackAgent(id, f.version.version, v.number, {reason: values.reason})),
        })}>Roll back</button>` : nothing}</td></tr>`)}</tbody></table></div></section>`;
}
