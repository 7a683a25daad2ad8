/** Starts the app: who is there, which page, one drawing for each frame. */
import {html, nothing, render} from './core/lit.js';
import {get, setOrg} from './core/api.js';
import {setServerNow} from './core/clock.js';
import {frame} from './core/frame.js';
import {Keymap, keyName} from './core/keymap.js';
import {Live} from './core/live.js';
import {Notifier} from './core/notify.js';
import {findPage, readQuery, writeQuery} from './core/route.js';
import {restoreTheme, toggleTheme} from './core/theme.js';
import {hostNames} from './ui/host-filter.js';
import {askToStopAll, holdBanner} from './ui/hold.js';
import {openPalette} from './ui/palette.js';
import {people} from './ui/people.js';
import {openSheet} from './ui/sheet.js';
import {empty} from './ui/bits.js';
import {header, banner, navigation, NAV} from './shell.js';
import {pages} from './pages/all.js';
import {signInPage} from './pages/sign-in.js';

const app = {about: null, page: null, open: null, query: {}, params: {}, keymap: new Keymap(), live: null, failure: null};
const root = document.getElementById('app');
const invalidate = frame(draw);
/** What had the focus last. */
let focused = null;
const ROLES = ['viewer', 'operator', 'admin'];
/** How far the keys go that every browser scrolls with. */
const SCROLLS = {
  ArrowDown: () => 40, ArrowUp: () => -40, PageDown: box => box.clientHeight * .9, PageUp: box => -box.clientHeight * .9,
  Home: box => -box.scrollHeight, End: box => box.scrollHeight,
};
/** Topics that not every process has, and what it has to have for them. */
const OPTIONAL = {nodes: 'nodes', jobs: 'jobs', servers: 'servers', links: 'links', quarantine: 'links', connections: 'links', hold: 'jobs', alerts: 'alerts', deliveries: 'alerts', approvals: 'approvals'};

function context() {
  return {
    get params() { return app.params; },
    get query() { return app.query; },
    about: app.about,
    live: app.live,
    invalidate,
    go,
    setQuery(patch, replace = false) {
      const search = writeQuery(app.query, patch);
      app.query = readQuery(search);
      history[replace ? 'replaceState' : 'pushState'](null, '', location.pathname + search);
      app.open?.queryChanged?.();
      invalidate();
    },
    has: source => app.about.has.includes(source),
    can: role => ROLES.indexOf(app.about.role) >= ROLES.indexOf(role),
  };
}

/** Opens an address of the app without loading the page anew. */
function go(href) {
  history.pushState(null, '', href);
  arrive();
}

function arrive() {
  document.body.classList.remove('nav-open');
  const path = location.pathname === '/' ? '/overview' : location.pathname;
  app.query = readQuery(location.search);
  const found = findPage(pages, path);
  const same = found && app.page === found.page && JSON.stringify(found.params) === JSON.stringify(app.params);
  if (same) {
    app.open?.queryChanged?.();
    return invalidate();
  }
  const moved = app.page !== null;
  hostNames.turnedTo();
  people.turnedTo();
  app.open?.close?.();
  app.keymap.remove('page');
  app.page = found?.page ?? null;
  app.params = found?.params ?? {};
  app.open = null;
  if (!found) return invalidate();
  const ctx = context();
  const missing = (found.page.needs && !ctx.has(found.page.needs)) || (found.page.role && !ctx.can(found.page.role));
  app.live.watch([...(missing ? [] : found.page.topics ?? []), 'fleet', 'hold'].filter(topic => !OPTIONAL[topic] || ctx.has(OPTIONAL[topic])));
  app.open = missing ? null : found.page.open(ctx);
  app.keymap.set('page', app.open?.keys ?? []);
  if (moved) toContent();
  return invalidate();
}

const toContent = () => document.querySelector('main h1')?.focus({preventScroll: true});

function draw() {
  if (!app.about) return;
  const ctx = context();
  const title = app.open?.title?.() ?? app.page?.title ?? 'Not found';
  document.title = `${typeof title === 'string' ? title : app.page.title} · Skep`;
  document.body.classList.toggle('lost', app.live.state === 'lost');
  render(html`<button class="skip" @click=${toContent}>Skip to the content</button>${navigation(ctx, app.page)}
    <main id="main" tabindex="-1">${banner(app.live)}${holdBanner(ctx)}
      ${header(ctx, app.page, title, app.open)}
      ${content(ctx)}</main>`, root);
  // What had the focus is done with, or was on the page before: reading and tabbing go on at the title.
  if (focused && !focused.isConnected && document.activeElement === document.body) toContent();
}

function content() {
  if (app.open) return app.open.view();
  if (app.page?.role && app.about.role !== app.page.role) return html`<div class="body">${empty(`Only an ${app.page.role} may see this.`, 'Ask one of your org.')}</div>`;
  if (app.page) return html`<div class="body">${empty(`There is no ${app.page.title.toLowerCase()} page here.`, app.page.elsewhere ?? 'This process does not keep them. A hub does: skep hub --supervisor.')}</div>`;
  return html`<div class="body">${empty('There is no such page.', html`Go to the <a class="link" href="/overview">overview</a>.`)}</div>`;
}

function shortcuts() {
  return [
    {keys: 'ctrl-k', label: 'Go to anything', run: palette},
    {keys: '?', label: 'This sheet', run: () => openSheet(app.keymap.all())},
    {keys: 't', label: 'Change the theme', run: toggleTheme},
    {keys: 'space', label: 'Pause or resume', run: () => togglePause()},
    ...NAV.flatMap(group => group.items).filter(item => item.key)
      .map(item => ({keys: `g ${item.key}`, label: `Go to ${item.label.toLowerCase()}`, group: 'Go', run: () => go(item.href)})),
  ];
}

function togglePause() {
  if (app.open?.togglePause) app.open.togglePause();
  else app.live.setPaused(!app.live.paused);
  invalidate();
}

function palette() {
  const commands = NAV.flatMap(group => group.items)
    .filter(item => !item.needs || app.about.has.includes(item.needs))
    .map(item => ({kind: 'page', label: item.label, href: item.href}))
    .concat(['jobs', 'controls'].every(it => app.about.has.includes(it)) && context().can('operator') ? [{kind: 'all', label: 'Stop all agents', run: askToStopAll}] : [])
    .concat(app.keymap.all().filter(s => !s.keys.startsWith('g ') && s.keys !== 'ctrl-k').map(s => ({kind: s.keys, label: s.label, run: s.run})));
  openPalette(commands, go);
}

function listen() {
  addEventListener('popstate', arrive);
  addEventListener('skep:go', e => go(e.detail));
  addEventListener('skep:pause', togglePause);
  addEventListener('resize', invalidate);
  addEventListener('focusin', e => { focused = e.target; });
  document.addEventListener('click', e => {
    const anchor = e.target.closest?.('a[href]');
    const plain = anchor && e.button === 0 && !e.ctrlKey && !e.metaKey && !e.shiftKey && !anchor.target && !anchor.download;
    if (plain && anchor.origin === location.origin && !anchor.pathname.startsWith('/api/')) {
      e.preventDefault();
      go(anchor.pathname + anchor.search + anchor.hash);
    }
  });
  addEventListener('keydown', e => {
    const typing = e.target.matches?.('input, textarea, select');
    if (typing && e.key === 'Escape') e.target.blur();
    if (document.querySelector('dialog[open]') || (typing && !(e.ctrlKey || e.metaKey))) return;
    if (e.target.matches?.('button, a') && (e.key === ' ' || e.key === 'Enter')) return;
    const hit = app.keymap.press(keyName(e), e.timeStamp);
    if (hit) {
      e.preventDefault();
      hit.run(e);
      invalidate();
    } else if (SCROLLS[e.key] && !e.target.closest?.('main .scroll, main .body, main .log, main .pane')) {
      // A browser scrolls what has the focus, which is the title of a page and not what is below it.
      const box = document.querySelector('main .scroll, main .log, main .body, main .pane');
      box?.scrollBy(0, SCROLLS[e.key](box));
    }
  });
}

function signedOut() {
  if (location.pathname !== '/sign-in') {
    location.assign(`/sign-in?to=${encodeURIComponent(location.pathname + location.search)}`);
  }
}

async function start() {
  restoreTheme();
  if (location.pathname === '/sign-in') return signInPage();
  try {
    const [about, me] = await Promise.all([get('/api/supervisor'), get('/api/session')]);
    app.about = {...about, me};
  } catch (problem) {
    if (problem.status === 401) return signedOut();
    render(html`<main class="body">${empty('The supervisor could not start.', problem.message, html`<button @click=${() => location.reload()}>Try again</button>`)}</main>`, root);
    return undefined;
  }
  setOrg(app.about.org);
  setServerNow(app.about.now);
  app.live = new Live({changed: invalidate, signedOut});
  app.keymap.set('app', shortcuts());
  listen();
  arrive();
  const notifier = new Notifier(go);
  addEventListener('skep:notify', () => notifier.start());
  if (app.about.has.includes('notifications')) notifier.start();
  return nothing;
}

start();
