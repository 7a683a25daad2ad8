/** Ctrl-K: every page, every shortcut, and every host and agent by name. */
import {html, render, repeat} from '../core/lit.js';
import {get, inOrg} from '../core/api.js';

/** The best matches for what was typed: all words must occur, beginnings first. Pure. */
export function rank(items, text, most = 12) {
  const wanted = text.toLowerCase().split(/\s+/).filter(Boolean);
  return items
    .map(item => ({item, name: item.label.toLowerCase()}))
    .filter(({name, item}) => wanted.every(w => name.includes(w) || item.kind.toLowerCase().includes(w)))
    .sort((a, b) => (wanted.length ? Number(b.name.startsWith(wanted[0])) - Number(a.name.startsWith(wanted[0])) : 0))
    .slice(0, most)
    .map(({item}) => item);
}

export async function openPalette(commands, go) {
  if (document.querySelector('dialog.palette')) return;
  const box = document.createElement('dialog');
  box.className = 'palette';
  box.setAttribute('aria-label', 'Go to');
  document.body.append(box);
  let items = commands, text = '', at = 0;
  const found = () => rank(items, text);
  const choose = item => {
    box.close();
    if (item?.href) go(item.href);
    else item?.run?.();
  };
  const draw = () => {
    const list = found();
    at = Math.max(0, Math.min(at, list.length - 1));
    render(html`<input type="text" role="combobox" aria-expanded="true" aria-controls="palette-list" aria-label="Go to" placeholder="Go to a page, a host, an agent…"
        aria-activedescendant=${list[at] ? `palette-${at}` : ''} @input=${e => { text = e.target.value; at = 0; draw(); }} @keydown=${key}>
      <ul id="palette-list" role="listbox" aria-label="Results">${repeat(list, item => item.kind + item.label + (item.href ?? ''), (item, i) => html`
        <li id="palette-${i}" role="option" aria-selected=${i === at ? 'true' : 'false'} @click=${() => choose(item)}><span>${item.label}</span><span class="dim">${item.kind}</span></li>`)}</ul>`, box);
  };
  const key = e => {
    const step = {ArrowDown: 1, ArrowUp: -1}[e.key];
    if (step) {
      e.preventDefault();
      at += step;
      draw();
    } else if (e.key === 'Enter') {
      e.preventDefault();
      choose(found()[at]);
    }
  };
  box.addEventListener('close', () => box.remove());
  draw();
  box.showModal();
  box.querySelector('input').focus();
  const [hosts, agents] = await Promise.all(['hosts', 'agents'].map(t => get(inOrg(`/view/${t}`)).catch(() => ({rows: []}))));
  items = commands.concat(
    hosts.rows.map(h => ({kind: 'host', label: h.name, href: `/hosts/${encodeURIComponent(h.id)}`})),
    agents.rows.map(a => ({kind: 'agent', label: `${a.username}@${a.hostName}`, href: `/agents/${encodeURIComponent(a.id)}`})));
  if (box.open) draw();
}
