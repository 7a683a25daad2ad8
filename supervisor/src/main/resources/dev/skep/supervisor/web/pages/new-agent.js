/** A new agent: a short form and the file beside it, which are one document. */
import {html, nothing} from '../core/lit.js';
import {get, inOrg} from '../core/api.js';
import {checkAgentFile, createAgent} from '../core/actions.js';
import {plural} from '../core/format.js';
import {fileText, problemList, toLine} from '../ui/file-editor.js';
import {Loading} from '../ui/states.js';
import {agents} from './agents.js';
import {FIRST, valueOf, withValue} from './yaml.model.js';

const CHECK_AFTER = 350, BY_LABELS = '?';
const RUNTIMES = [['', 'skep: our own loop'], ...['claude', 'codex', 'gemini', 'opencode', 'pi'].map(name => [name, name])];

export const newAgent = {
  path: '/agents/new',
  title: 'New agent',
  parent: agents,
  needs: 'files',
  role: 'operator',
  open(ctx) {
    const hosts = new Loading(ctx.invalidate);
    const state = {text: FIRST, host: '', where: '', problems: [], problem: '', busy: false, note: null};
    const list = () => hosts.run(async () => {
      const found = (await get(inOrg('/agents/hosts'))).hosts;
      state.host ||= (found.find(h => !h.obstacle) ?? found[0])?.id ?? '';
      return found;
    });
    list();
    const change = patch => {
      Object.assign(state, patch);
      ctx.invalidate();
    };
    let checking = null, asked = 0;
    const check = async () => {
      const ticket = ++asked;
      try {
        const {problems} = await checkAgentFile(state.text);
        if (ticket === asked) change({problems});
      } catch {
        // The next key asks again, and making it says what is wrong.
      }
    };
    const typed = text => {
      change({text, problem: '', note: null});
      clearTimeout(checking);
      checking = setTimeout(check, CHECK_AFTER);
    };
    const make = async event => {
      event.preventDefault();
      if (state.busy) return;
      change({busy: true, problem: '', note: null});
      try {
        const made = await createAgent({file: state.text, ...(state.host === BY_LABELS ? {where: state.where} : {host: state.host})});
        if (made.outcome === 'done') return ctx.go(`/agents/${encodeURIComponent(made.agent)}/configuration`);
        return change({busy: false, note: html`The host is not connected; it makes the agent when it returns. <a class="link" href=${`/jobs/${encodeURIComponent(made.jobId)}`}>The job</a>`});
      } catch (problem) {
        change({busy: false, problems: problem.more?.problems ?? state.problems, problem: problem.message});
        if (problem.more?.problems?.length) toLine(problem.more.problems[0].line);
        return undefined;
      }
    };
    return {
      close: () => clearTimeout(checking),
      view: () => html`<div class="body">${hosts.show(found => form(state, found, {change, typed, make}), list)}</div>`,
    };
  },
};

function form(state, hosts, {change, typed, make}) {
  const set = key => e => typed(withValue(state.text, key, e.target.value));
  const field = (key, label, hint = '') => html`<label>${label}<input name=${key} autocomplete="off" placeholder=${hint} .value=${valueOf(state.text, key)} @input=${set(key)}></label>`;
  const runtime = valueOf(state.text, 'runtime'), chosen = hosts.find(h => h.id === state.host);
  return html`<form class="newagent" @submit=${make}>
    <div class="fields">
      <label>Host<select name="host" @change=${e => change({host: e.target.value})}>
        ${hosts.map(h => html`<option value=${h.id} ?selected=${h.id === state.host}>${h.name}, ${plural(h.agents, 'agent')}${h.obstacle ? `, ${h.obstacle.split(' (')[0]}` : ''}</option>`)}
        ${hosts.length > 1 ? html`<option value=${BY_LABELS} ?selected=${state.host === BY_LABELS}>whichever has these labels…</option>` : nothing}</select></label>
      ${state.host === BY_LABELS ? html`<label>Labels<input name="where" autocomplete="off" placeholder="gpu=a100, memory>=32" .value=${state.where} @input=${e => change({where: e.target.value})}></label>` : nothing}
      ${chosen?.obstacle ? html`<p class="warn">${chosen.name} ${chosen.obstacle}.</p>` : nothing}
      ${field('username', 'Name', 'a–z, 0–9, - and _')}
      ${field('title', 'What it is', 'in a few words')}
      <label>Runtime<select name="runtime" @change=${set('runtime')}>${(RUNTIMES.some(([value]) => value === runtime) ? RUNTIMES : [...RUNTIMES, [runtime, runtime]]).map(([value, label]) => html`<option value=${value} ?selected=${value === runtime}>${label}</option>`)}</select></label>
      ${field('model', 'Model', runtime ? 'the runtime’s own if empty' : 'a name of models.yaml')}
      ${field('spend_limit', 'Spend limit a day, in dollars', 'no limit')}
      <label>Prompt<textarea name="prompt" rows="7" .value=${valueOf(state.text, 'prompt')} @input=${set('prompt')}></textarea></label>
    </div>
    <div class="yaml"><h2>Its file <span class="soft">the same, with all there is to set</span></h2>
      ${fileText({text: state.text, label: 'The agent’s file', typed})}
      ${problemList(state.problems)}
      ${state.problem && !state.problems.length ? html`<p class="problem" role="alert">${state.problem}</p>` : nothing}
      <div class="saving"><button class="primary" aria-disabled=${state.busy ? 'true' : nothing}>${state.busy ? 'Working…' : 'Make agent'}</button>
        <a class="button" href="/agents">Cancel</a>${state.note ? html`<span class="note" role="status">${state.note}</span>` : nothing}</div></div>
  </form>`;
}
