/** Notifications of this browser: one of its tabs asks for what is new, also while it is hidden, and shows it once. */
import {get, inOrg, post} from './api.js';

const SHOWN = 'skep.shown', KEPT = 100, WAIT = 25;

export const allowed = () => ('Notification' in window ? Notification.permission : 'unsupported');

/** Asks the person; only a click may. */
export const allow = () => Notification.requestPermission();

const pause = ms => new Promise(done => { setTimeout(done, ms); });

const shownBefore = () => JSON.parse(localStorage.getItem(SHOWN) ?? '[]');

/** Where a message leads on this page, whatever name its hub gave in the link. */
export function pathOf(link) {
  try {
    const url = new URL(link);
    return url.protocol.startsWith('http') ? url.pathname + url.search : '/overview';
  } catch {
    return '/overview';
  }
}

export class Notifier {
  /** @param {(path: string) => void} go */
  constructor(go) {
    this.go = go;
    this.running = false;
  }

  /** Begins if the person has a channel for browsers and this one may show messages. */
  async start() {
    if (this.running || allowed() !== 'granted' || !navigator.locks) return;
    this.running = true;
    try {
      const {channels} = await get(inOrg('/notifications'));
      if (channels.some(c => c.kind === 'browser')) {
        // One tab of this browser asks; the next one goes on when it is closed.
        await navigator.locks.request('skep-notifications', () => this.#follow());
      }
    } catch {
      // The page says so itself when it asks for anything.
    }
    this.running = false;
  }

  async #follow() {
    let last = '', failures = 0;
    for (;;) {
      try {
        const {messages} = await get(inOrg('/notifications/new'), {wait: WAIT, last});
        for (const message of messages) await this.#show(message);
        last = messages.at(-1)?.id ?? '';
        failures = 0;
      } catch (problem) {
        if (problem.status === 401 || problem.status === 403 || problem.status === 404) return;
        failures++;
        await pause(Math.min(60, 2 ** failures) * 1000);
      }
    }
  }

  async #show({id, message}) {
    const before = shownBefore();
    if (before.includes(id)) return;
    localStorage.setItem(SHOWN, JSON.stringify([...before, id].slice(-KEPT)));
    const {title, items, more} = message.data, first = items[0];
    const several = items.length + more > 1;
    const shown = new Notification(several ? title : first.heading, {
      body: several ? items.map(item => item.text).join('\n') : first.text,
      tag: id,
      icon: '/assets/icon.svg',
    });
    shown.onclick = () => {
      window.focus();
      this.go(several ? '/overview' : pathOf(first.link));
      shown.close();
    };
    await post(inOrg('/notifications/shown'), {id}).catch(() => {});
  }
}
