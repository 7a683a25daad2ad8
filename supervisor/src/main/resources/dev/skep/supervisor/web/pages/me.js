import {html, nothing} from '../core/lit.js';
import {get} from '../core/api.js';
import {beginSecondFactor, confirmSecondFactor, disconnectProvider, endSignIn, joinOrg, removeSecondFactor, setPassword} from '../core/actions.js';
import {goToProvider} from '../core/provider.js';
import {Acts} from '../ui/act.js';
import {ask} from '../ui/dialog.js';
import {facts, pill} from '../ui/bits.js';
import {signInTable} from '../ui/sign-ins.js';
import {Loading} from '../ui/states.js';
import {keyGroups, tokenOf} from './me.model.js';

export const me = {
  path: '/me',
  title: 'Me',
  open(ctx) {
    const data = new Loading(ctx.invalidate), acts = new Acts(ctx);
    const load = () => data.run(async () => {
      const [who, signIns, {providers}] = await Promise.all([get('/api/session'), get('/api/session/sign-ins'), get('/api/session/providers')]);
      return {who, signIns, providers};
    });
    load();
    const then = work => async (...args) => { const result = await work(...args); load(); return result; };
    return {view: () => html`<div class="body">${data.show(d => html`
      ${about(d.who)}${password(d.who, then)}${secondFactor(d.who, then)}${accounts(d, acts, then)}${signIns(d.signIns, acts, then)}${orgs(d.who, then)}`, load)}</div>`};
  },
};

const section = (title, action, content) => html`<section class="part"><h2>${title}<span class="push">${action}</span></h2>${content}</section>`;

const about = who => section('Me', nothing, facts([['User name', who.username], ['Role', who.role], ['Org', html`<span class="mono">${who.org}</span>`]]));

const password = (who, then) => section('Password', html`<button @click=${() => ask({
  title: who.hasPassword ? 'Change the password' : 'Set a password',
  text: 'Ten characters or more. Every other sign-in of yours ends.',
  act: 'Save',
  fields: [...(who.hasPassword ? [{name: 'current', label: 'Current password', type: 'password'}] : []), {name: 'next', label: 'New password', type: 'password'}],
  run: then(setPassword),
})}>${who.hasPassword ? 'Change' : 'Set a password'}</button>`, html`<p class="soft">${who.hasPassword ? 'You sign in with a password.' : 'You have no password: you need a sign-in link each time, or an account at a provider.'}</p>`);

function setUp(who, then) {
  ask({
    title: 'Set up a second factor',
    text: 'You need an app that shows one-time codes.',
    act: 'Go on',
    fields: who.hasPassword ? [{name: 'password', label: 'Password', type: 'password'}] : [],
    run: async v => { const begun = await beginSecondFactor(v); setTimeout(() => confirm(begun, then)); },
  });
}

const confirm = (begun, then) => ask({
  title: 'Add it to your app',
  text: html`Type this key into your app, or <a class="link" href=${begun.link}>open it there</a>:<br><b class="mono key">${keyGroups(begun.secret)}</b><br>Then type the code that it shows.`,
  act: 'Turn on',
  fields: [{name: 'code', label: 'Code'}],
  run: then(confirmSecondFactor),
  done: ({recoveryCodes}) => html`<p>It is on. Each of these codes lets you in once without the app. They are not shown again: print them or keep them where you keep passwords.</p><pre>${recoveryCodes.join('\n')}</pre>`,
});

const secondFactor = (who, then) => section('Second factor', who.hasSecondFactor ? html`<button class="danger" @click=${() => ask({
  title: 'Remove the second factor',
  text: 'From then on the password alone lets you in.',
  act: 'Remove',
  danger: true,
  fields: [{name: 'code', label: 'A code of your app, or a recovery code'}],
  run: then(removeSecondFactor),
})}>Remove</button>` : html`<button @click=${() => setUp(who, then)}>Set up</button>`, html`<p class="soft">${who.hasSecondFactor
  ? html`${pill('online', 'on')} ${who.recoveryCodesLeft} of 10 recovery codes are left.`
  : 'Off. With one, a password that somebody learned does not let them in.'}</p>`);

const accounts = ({who, providers}, acts, then) => {
  const connected = who.identities ?? [], open = providers.filter(p => !connected.some(c => c.provider === p.id));
  if (!connected.length && !open.length) return nothing;
  return section('Accounts elsewhere', open.map(p => acts.button(`connect:${p.id}`, `Connect ${p.name}`, () => goToProvider(p.id, {connect: true, to: '/me'}))), html`<ul class="plain">
    ${connected.map(c => html`<li>${providers.find(p => p.id === c.provider)?.name ?? c.provider}: <b>${c.name}</b>
      ${acts.button(`disconnect:${c.provider}`, 'Disconnect', () => then(disconnectProvider)(c.provider))} ${acts.say(`disconnect:${c.provider}`)}</li>`)}
    ${connected.length ? nothing : html`<li class="soft">None is connected.</li>`}</ul>${acts.say(...open.map(p => `connect:${p.id}`))}`);
};

const signIns = ({current, signIns: rows}, acts, then) => section('Sign-ins', nothing, signInTable(rows, acts, then(endSignIn), current));

const orgs = (who, then) => section('Orgs', html`<button @click=${() => ask({
  title: 'Add an org',
  text: 'An admin of the other org adds you as an operator and gives you a sign-in link. Paste it here instead of opening it.',
  act: 'Add',
  fields: [{name: 'link', label: 'Sign-in link'}],
  run: then(async ({link}) => { await joinOrg(tokenOf(link)); location.reload(); }),
})}>Add an org</button>`, html`<ul class="plain">${(who.orgs ?? []).map(o => html`<li><b>${o.name}</b> <span class="soft">as ${o.username}, ${o.role}</span></li>`)}</ul>
  ${who.oneOrg ? html`<p class="soft">An admin's link opened this sign-in, so it is for this org only.</p>` : nothing}`);
