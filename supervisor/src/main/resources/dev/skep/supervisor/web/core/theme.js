/** Light, dark, or what the system says; remembered on this machine. */
const KEY = 'skep.theme';
const root = document.documentElement;

export function restoreTheme() {
  const kept = localStorage.getItem(KEY);
  if (kept === 'light' || kept === 'dark') root.dataset.theme = kept;
}

export function toggleTheme() {
  const dark = root.dataset.theme
    ? root.dataset.theme === 'dark'
    : matchMedia('(prefers-color-scheme: dark)').matches;
  root.dataset.theme = dark ? 'light' : 'dark';
  localStorage.setItem(KEY, root.dataset.theme);
}
