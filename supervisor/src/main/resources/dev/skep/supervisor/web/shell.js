/** What stands around every page: navigation, header, the banner of a lost connection. */
import {html, nothing} from './core/lit.js';
import {count, plural} from './core/format.js';
import {toggleTheme} from './core/theme.js';
import {signOut, turnToOrg} from './core/actions.js';

const sum = map => Object.values(map ?? {}).reduce((a, b) => a + b, 0);

/** The navigation, and with it what "g" and a letter lead to. */
export const NAV = [
  {items: [
    {href: '/overview', label: 'Overview', key: 'o', badge: f => ({n: f.needs, cls: 'warn'})},
    {href: '/hosts', label: 'Hosts', key: 'h', count: f => sum(f.hosts)},
    {href: '/agents', label: 'Agents', key: 'a', count: f => sum(f.agents)},
    {href: '/sessions', label: 'Sessions', key: 's', count: f => f.sessions},
    {href: '/nodes', label: 'Nodes', key: 'n', needs: 'nodes', count: f => f.nodes},
    {href: '/jobs', label: 'Jobs', key: 'j', needs: 'jobs', count: f => (f.jobs.pending ?? 0) + (f.jobs.running ?? 0)},
    {href: '/servers', label: 'Servers', key: 'v', needs: 'servers'},
  ]},
  {title: 'Traffic', items: [
    {href: '/logs', label: 'Logs', key: 'l'},
    {href: '/mail', label: 'Mail', key: 'm'},
    {href: '/costs', label: 'Costs', key: 'c'},
    {href: '/sync', label: 'Sync', key: 'y', needs: 'links'},
  ]},
  {title: 'Record', items: [
    {href: '/alerts', label: 'Alerts', key: 'e', needs: 'alerts', badge: f => ({n: f.alerts, cls: 'bad'})},
    {href: '/audit', label: 'Audit', key: 'u', needs: 'audit', role: 'admin'},
    {href: '/settings/notifications', label: 'Notifications', key: 'i', needs: 'notifications'},
    {href: '/settings', label: 'Settings', key: ',', needs: 'settings', role: 'admin'},
  ]},
];

export function navigation(ctx, page) {
  const fleet = ctx.live.rows('fleet').get('fleet');
  return html`<nav class="main" aria-label="Main"><a class="brand" href="/overview">Skep <span>/ ${ctx.about.org}</span></a>${orgs(ctx)}
    ${NAV.map(group => html`${group.title ? html`<h2>${group.title}</h2>` : nothing}
      ${group.items.filter(item => (!item.needs || ctx.has(item.needs)) && (!item.role || ctx.can(item.role))).map(item => navItem(item, page, fleet))}`)}
    <div class="foot"><button class="quiet only-narrow" @click=${toggleTheme}>Theme</button><a href="/me" aria-current=${page?.path === '/me' ? 'page' : nothing}><b class="cut">${ctx.about.me.username ?? 'Me'}</b></a><span>${ctx.about.role}</span>
      <button class="quiet" @click=${async () => { await signOut().catch(() => {}); location.assign('/sign-in'); }}>Sign out</button></div></nav>`;
}

/** For who is in several orgs: the one whose pages these are. Other tabs stay in theirs. */
function orgs(ctx) {
  const all = ctx.about.me.orgs ?? [];
  return all.length > 1 ? html`<label class="org"><span class="sr">Org</span><select @change=${e => turn(e.target, ctx.about.org)}>
    ${all.map(o => html`<option value=${o.org} ?selected=${o.org === ctx.about.org}>${o.name}</option>`)}</select></label>` : nothing;
}

async function turn(choice, otherwise) {
  try {
    await turnToOrg(choice.value);
    location.assign('/overview');
  } catch {
    choice.value = otherwise;
  }
}
/** Whether a page has an item of its own, and is not only below another. */
const hasItem = path => NAV.some(group => group.items.some(item => item.href === path));

function navItem(item, page, fleet) {
  const current = page && (page.path === item.href || (page.path.startsWith(`${item.href}/`) && !hasItem(page.path)));
  const badge = fleet && item.badge ? item.badge(fleet) : null;
  return html`<a href=${item.href} aria-current=${current ? 'page' : nothing}>${item.label}
    ${badge?.n ? html`<i class=${badge.cls}>${count(badge.n)}</i>` : nothing}
    ${fleet && item.count ? html`<i>${count(item.count(fleet))}</i>` : nothing}</a>`;
}

export function header(ctx, page, title, open) {
  return html`<header>
    <button class="menu" aria-label="Menu" @click=${() => document.body.classList.toggle('nav-open')}>Menu</button>
    <h1 tabindex="-1">${page?.parent ? html`<a class="crumb" href=${page.parent.path}>${page.parent.title}</a><span class="dim" aria-hidden="true">/</span>` : nothing}<span class="cut">${title}</span></h1>
    <span class="acts">${open?.actions?.() ?? nothing}</span>
    <span class="live"><span class="rate ${isPaused(ctx.live, open) ? 'paused' : ''}" role="status">${liveText(ctx.live, page, open)}</span>
      ${page?.topics?.length || open?.togglePause ? html`<button @click=${() => dispatchEvent(new CustomEvent('skep:pause'))}>${isPaused(ctx.live, open) ? 'Resume' : 'Pause'}<kbd>space</kbd></button>` : nothing}
      <button class="only-wide" @click=${toggleTheme}>Theme<kbd>t</kbd></button></span></header>`;
}

const isPaused = (live, open) => open?.paused?.() ?? live.paused;

function liveText(live, page, open) {
  if (open?.asOf) return open.asOf();
  if (!page?.topics?.length && !open?.togglePause) return '';
  if (isPaused(live, open)) return `Paused, ${plural(open?.waiting?.() ?? live.waiting, 'change')} waiting`;
  if (live.state === 'live') return live.rate ? `Live, ${plural(live.rate, 'change')}/s` : 'Live';
  if (live.state === 'lost') return 'Not live';
  return '';
}

/** Says that what is shown may be old, and when the next try is. */
export function banner(live) {
  if (live.state !== 'lost') return nothing;
  const left = Math.max(0, Math.ceil((live.retryAt - Date.now()) / 1000));
  return html`<div class="banner bad" role="alert"><span>The connection is lost. What you see may be old. ${live.retryAt ? `Next try in ${left} s.` : 'Trying again…'}</span>
    <button @click=${() => live.retryNow()}>Try now</button></div>`;
}
