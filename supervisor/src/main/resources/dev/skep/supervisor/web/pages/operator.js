import {html, nothing} from '../core/lit.js';
import {get, inOrg} from '../core/api.js';
import {endSignInOf, resetSecondFactor} from '../core/actions.js';
import {Acts} from '../ui/act.js';
import {ask} from '../ui/dialog.js';
import {facts, pill, when} from '../ui/bits.js';
import {signInTable} from '../ui/sign-ins.js';
import {Loading} from '../ui/states.js';
import {settings} from './settings.js';

export const operator = {
  path: '/settings/operators/:operator',
  title: 'Operator',
  parent: settings,
  needs: 'settings',
  role: 'admin',
  open(ctx) {
    const data = new Loading(ctx.invalidate), acts = new Acts(ctx), id = ctx.params.operator;
    const at = inOrg(`/operators/${encodeURIComponent(id)}`);
    const load = () => data.run(async () => {
      const [who, {signIns}] = await Promise.all([get(at), get(`${at}/sign-ins`)]);
      return {who, signIns};
    });
    load();
    const then = work => async (...args) => { const result = await work(...args); load(); return result; };
    return {title: () => data.value?.who.username ?? 'Operator', view: () => html`<div class="body">${data.show(d => html`
      ${about(d.who)}${secondFactor(d.who, then)}
      <section class="part"><h2>Sign-ins</h2>${signInTable(d.signIns, acts, then(signIn => endSignInOf(id, signIn)))}</section>`, load)}</div>`};
  },
};

const about = who => html`<section class="part"><h2>${who.username}</h2>${facts([
  ['Role', who.role],
  ['State', who.disabledAt ? 'disabled' : 'enabled'],
  ['Signed in', when(who.signedInAt)],
  ['Password', who.hasPassword ? 'set' : 'none'],
  who.signsInElsewhere ? ['Signs in', 'through another org'] : null,
  who.managedBy ? ['Managed by', html`the groups at <span class="mono">${who.managedBy}</span>`] : null,
])}</section>`;

const secondFactor = (who, then) => html`<section class="part"><h2>Second factor<span class="push">${who.hasSecondFactor && !who.signsInElsewhere ? html`<button class="danger" @click=${() => ask({
  title: `Remove the second factor of ${who.username}`,
  text: 'For somebody who lost both the app and the recovery codes. From then on the password alone lets them in.',
  act: 'Remove',
  danger: true,
  confirm: who.username,
  run: then(() => resetSecondFactor(who.id)),
})}>Remove</button>` : nothing}</span></h2><p class="soft">${who.hasSecondFactor ? pill('online', 'on') : 'Off.'}</p></section>`;
