/** Keyboard shortcuts as data: single keys and two-key sequences. Pure. */

/** @typedef {{keys: string, label: string, run: (event?: any) => void, group?: string}} Shortcut */

export class Keymap {
  /** @param {number} patience milliseconds between the two keys of a sequence */
  constructor(patience = 1200) {
    this.patience = patience;
    this.layers = new Map();
    this.pending = '';
    this.pendingAt = 0;
  }

  /** Sets a layer's shortcuts; a layer that is set later wins. */
  set(layer, shortcuts) {
    this.layers.delete(layer);
    this.layers.set(layer, shortcuts);
  }

  remove(layer) {
    this.layers.delete(layer);
  }

  /** All shortcuts, the strongest layer first, each key once. */
  all() {
    const seen = new Set(), list = [];
    for (const shortcuts of [...this.layers.values()].reverse()) {
      for (const shortcut of shortcuts) {
        if (!seen.has(shortcut.keys)) {
          seen.add(shortcut.keys);
          list.push(shortcut);
        }
      }
    }
    return list;
  }

  /** What a key means after the keys before it; null if nothing, or not yet. */
  press(key, now) {
    const sequence = this.pending && now - this.pendingAt < this.patience ? `${this.pending} ${key}` : key;
    const shortcuts = this.all();
    const hit = shortcuts.find(s => s.keys === sequence) ?? shortcuts.find(s => s.keys === key);
    if (hit) {
      this.pending = '';
      return hit;
    }
    const begins = shortcuts.some(s => s.keys.startsWith(`${key} `));
    this.pending = begins ? key : '';
    this.pendingAt = now;
    return null;
  }
}

/** How a key event is written in a shortcut. */
export function keyName(event) {
  const name = event.key === ' ' ? 'space' : event.key.length === 1 ? event.key : event.key.toLowerCase();
  return event.ctrlKey || event.metaKey ? `ctrl-${name.toLowerCase()}` : name;
}
