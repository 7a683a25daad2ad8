/** Dialogs: a form with a title, fields and one thing to do. Destructive ones ask for the name. */
import {html, nothing, render} from '../core/lit.js';

/**
 * @param {object} d
 * @param {string} d.title
 * @param {any} [d.text]
 * @param {{name: string, label: string, value?: string, rows?: number, type?: string, options?: [string, string][], many?: [string, string][], ticked?: string[], required?: boolean, chosen?: (form: any) => void}[]} [d.fields]
 * @param {string} d.act what the button says
 * @param {boolean} [d.danger]
 * @param {string} [d.confirm] the name to type before the button works
 * @param {(values: Record<string, any>) => Promise<any>} d.run of a field with `many` the values that were ticked
 * @param {(result: any) => any} [d.done] what to show afterwards instead of closing
 */
export function ask(d) {
  const box = document.createElement('dialog');
  box.setAttribute('aria-label', d.title);
  document.body.append(box);
  const state = {busy: false, problem: '', typed: '', result: null};
  const draw = () => render(body(), box);
  const close = () => box.close();
  box.addEventListener('close', () => box.remove());
  const submit = async event => {
    event.preventDefault();
    if (state.busy) return undefined;
    const form = new FormData(event.target), values = Object.fromEntries(form);
    for (const f of d.fields ?? []) if (f.many) values[f.name] = form.getAll(f.name);
    state.busy = true;
    state.problem = '';
    draw();
    try {
      const result = await d.run(values);
      if (!d.done) return close();
      state.result = d.done(result);
    } catch (problem) {
      state.problem = problem.message;
    }
    state.busy = false;
    draw();
    // What was asked for is gone with its fields; the next thing to press is the way out.
    if (state.result) box.querySelector('.acts button').focus();
    return undefined;
  };
  const ticks = f => html`<fieldset><legend>${f.label}</legend>${f.many.map(([value, text]) => html`<label class="tick"><input type="checkbox" name=${f.name} value=${value} ?checked=${f.ticked?.includes(value)}>${text}</label>`)}</fieldset>`;
  const field = f => (f.many ? ticks(f) : html`<label>${f.label}
    ${f.options
    ? html`<select name=${f.name} @change=${e => f.chosen?.(e.target.form.elements)}>${f.options.map(([value, text]) => html`<option value=${value} ?selected=${value === f.value}>${text}</option>`)}</select>`
    : f.rows
      ? html`<textarea name=${f.name} rows=${f.rows} ?required=${f.required !== false} .value=${f.value ?? ''}></textarea>`
      : html`<input name=${f.name} type=${f.type ?? 'text'} ?required=${f.required !== false} .value=${f.value ?? ''} autocomplete="off">`}</label>`);
  const body = () => (state.result
    ? html`<section><h2>${d.title}</h2>${state.result}<div class="acts"><button @click=${close}>Close</button></div></section>`
    : html`<form method="dialog" @submit=${submit}><h2>${d.title}</h2>${d.text ? html`<p class="soft">${d.text}</p>` : nothing}
      ${(d.fields ?? []).map(field)}
      ${d.confirm ? html`<label>Type <b class="mono">${d.confirm}</b> to continue<input name="confirm" autocomplete="off" @input=${e => { state.typed = e.target.value; draw(); }}></label>` : nothing}
      ${state.problem ? html`<p class="problem" role="alert">${state.problem}</p>` : nothing}
      <div class="acts"><button type="button" @click=${close}>Cancel</button>
        <button class=${d.danger ? 'danger' : 'primary'} aria-disabled=${state.busy ? 'true' : nothing} ?disabled=${d.confirm && state.typed !== d.confirm}>${state.busy ? 'Working…' : d.act}</button></div></form>`);
  draw();
  box.showModal();
}
