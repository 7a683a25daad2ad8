/** Who are you? By password, or by a one-use link whose secret stands after the #. */
import {html, nothing, render} from '../core/lit.js';
import {signIn, signInWithLink} from '../core/actions.js';

export function signInPage() {
  const root = document.getElementById('app');
  document.title = 'Sign in · Skep';
  document.body.className = 'bare';
  const state = {busy: false, problem: ''};
  // Only a path of this site: a link must not send people elsewhere.
  const wanted = new URLSearchParams(location.search).get('to') ?? '/';
  const to = /^\/(?![/\\])/.test(wanted) ? wanted : '/';
  const secret = location.hash.slice(1);
  const attempt = async work => {
    state.busy = true;
    state.problem = '';
    draw();
    try {
      await work();
      location.replace(to);
      return;
    } catch (problem) {
      state.problem = problem.message;
    }
    state.busy = false;
    draw();
    root.querySelector('[name=password]').select();
  };
  const submit = event => {
    event.preventDefault();
    if (state.busy) return;
    const {org, username, password} = Object.fromEntries(new FormData(event.target));
    attempt(() => signIn({...(org ? {org} : {}), username, password}));
  };
  const draw = () => render(html`<main class="sign-in"><h1>Skep</h1>
    <form @submit=${submit}>
      <label>User name<input name="username" autocomplete="username" required autofocus></label>
      <label>Password<input name="password" type="password" autocomplete="current-password" required></label>
      <details><summary>Another org</summary><label>Org<input name="org" placeholder="default" autocomplete="organization"></label></details>
      ${state.problem ? html`<p class="problem" role="alert">${state.problem}</p>` : nothing}
      <button class="primary" aria-disabled=${state.busy ? 'true' : nothing}>${state.busy ? 'Signing in…' : 'Sign in'}</button></form>
    <p class="soft">No password yet? On the machine that runs this,<br><code>skep operators sign-in-link NAME</code><br>prints a link that works once.</p></main>`, root);
  draw();
  if (secret) {
    // Out of the address bar and the history before anything else happens.
    history.replaceState(null, '', location.pathname + location.search);
    attempt(() => signInWithLink(secret));
  }
}
