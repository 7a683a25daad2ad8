/** "?": all shortcuts, from the registry that obeys them. */
import {html, render} from '../core/lit.js';

export function openSheet(shortcuts) {
  const box = document.createElement('dialog');
  box.setAttribute('aria-label', 'Keyboard shortcuts');
  document.body.append(box);
  const groups = new Map();
  for (const shortcut of shortcuts) {
    const group = shortcut.group ?? 'Anywhere';
    groups.set(group, [...(groups.get(group) ?? []), shortcut]);
  }
  render(html`<section><h2 tabindex="-1" autofocus>Keyboard</h2><div class="sheet">${[...groups].map(([group, list]) => html`<div><h3 class="soft">${group}</h3>
    <table class="keys"><tbody>${list.map(s => html`<tr><td><kbd>${s.keys}</kbd></td><td>${s.label}</td></tr>`)}</tbody></table></div>`)}</div>
    <div class="acts"><button @click=${() => box.close()}>Close</button></div></section>`, box);
  box.addEventListener('close', () => box.remove());
  box.showModal();
}
