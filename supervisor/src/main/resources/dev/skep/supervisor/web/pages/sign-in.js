/** Who are you? By password, by an account elsewhere, or by a one-use link whose secret stands after the #. */
import {html, nothing, render} from '../core/lit.js';
import {connectIdentity, signIn, signInWithIdentity, signInWithLink} from '../core/actions.js';
import {get} from '../core/api.js';
import {backFromProvider, goToProvider} from '../core/provider.js';

export function signInPage() {
  const root = document.getElementById('app');
  document.title = 'Sign in · Skep';
  document.body.className = 'bare';
  const state = {busy: false, problem: '', needsCode: false, providers: [], again: null, byLink: false};
  // Only a path of this site: a link must not send people elsewhere.
  const back = backFromProvider();
  const wanted = back?.to ?? new URLSearchParams(location.search).get('to') ?? '/';
  const to = /^\/(?![/\\])/.test(wanted) ? wanted : '/';
  const secret = location.hash.slice(1);
  /** Does what was asked for; where a code is missing, the same again with it. */
  const attempt = async work => {
    state.busy = true;
    state.problem = '';
    draw();
    try {
      await work();
      location.replace(to);
      return;
    } catch (problem) {
      const asks = problem.code === 'second_factor_required';
      if (asks) state.again = work;
      state.needsCode ||= asks;
      state.problem = asks ? '' : problem.message;
    }
    state.busy = false;
    draw();
    root.querySelector(state.needsCode ? '[name=code]' : '[name=password]').select();
  };
  const code = () => root.querySelector('[name=code]')?.value.trim();
  const withCode = values => (code() ? {...values, code: code()} : values);
  const submit = event => {
    event.preventDefault();
    if (state.busy) return;
    if (state.again && state.byLink) {
      attempt(state.again);
      return;
    }
    const {org, username, password} = Object.fromEntries(new FormData(event.target));
    attempt(() => signIn(withCode({...(org ? {org} : {}), username, password})));
  };
  const leave = async provider => {
    try {
      await goToProvider(provider.id, {to});
    } catch (problem) {
      state.problem = problem.message;
      draw();
    }
  };
  const draw = () => render(html`<main class="sign-in"><h1>Skep</h1>
    <form @submit=${submit}>
      ${state.byLink && state.needsCode ? nothing : html`<label>User name<input name="username" autocomplete="username" required autofocus></label>
      <label>Password<input name="password" type="password" autocomplete="current-password" required></label>
      <details><summary>Another org</summary><label>Org<input name="org" placeholder="default" autocomplete="organization"></label></details>`}
      ${state.needsCode ? html`<label>Code<input name="code" autocomplete="one-time-code" inputmode="text" required></label>
        <p class="soft">Of your app, or a recovery code.</p>` : nothing}
      ${state.problem ? html`<p class="problem" role="alert">${state.problem}</p>` : nothing}
      <button class="primary" aria-disabled=${state.busy ? 'true' : nothing}>${state.busy ? 'Signing in…' : 'Sign in'}</button>
      ${state.providers.map(p => html`<button type="button" @click=${() => leave(p)}>Sign in with ${p.name}</button>`)}</form>
    <p class="soft">No password yet? On the machine that runs this,<br><code>skep operators sign-in-link NAME</code><br>prints a link that works once.</p></main>`, root);
  draw();
  if (secret) {
    // Out of the address bar and the history before anything else happens.
    history.replaceState(null, '', location.pathname + location.search);
    state.byLink = true;
    attempt(() => signInWithLink(secret, code()));
  } else if (back?.error) {
    state.problem = `The provider did not sign you in (${back.error.slice(0, 60)}).`;
    draw();
  } else if (back) {
    attempt(() => (back.connect ? connectIdentity(back) : signInWithIdentity(back)));
  }
  get('/api/session/providers').then(({providers}) => { state.providers = providers; draw(); }, () => {});
}
