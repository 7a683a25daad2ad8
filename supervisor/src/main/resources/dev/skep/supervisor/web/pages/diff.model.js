/** What changed between two texts, as rows to draw: a sign and the line. Pure. */
const AROUND = 3;
/** Beyond so many pairs of lines the changed part is shown as removed and added. */
const MOST_PAIRS = 250_000;

const linesOf = text => (text ? (text.endsWith('\n') ? text.slice(0, -1) : text).split('\n') : []);

/** Rows with the sign '+', '-', ' ', or '…' where lines are left out; a few lines around each change. */
export function diffRows(before, after) {
  const old = linesOf(before), now = linesOf(after), least = Math.min(old.length, now.length);
  let from = 0, same = 0;
  while (from < least && old[from] === now[from]) from++;
  while (same < least - from && old[old.length - 1 - same] === now[now.length - 1 - same]) same++;
  const all = [...old.slice(0, from).map(kept), ...changed(old.slice(from, old.length - same), now.slice(from, now.length - same)), ...old.slice(old.length - same).map(kept)];
  return aroundChanges(all);
}

const kept = text => ({sign: ' ', text});
const gone = text => ({sign: '-', text});
const come = text => ({sign: '+', text});

function changed(old, now) {
  if (old.length * now.length > MOST_PAIRS) return [...old.map(gone), ...now.map(come)];
  const width = now.length + 1, longest = new Uint32Array((old.length + 1) * width);
  for (let i = old.length - 1; i >= 0; i--) {
    for (let j = now.length - 1; j >= 0; j--) {
      longest[i * width + j] = old[i] === now[j] ? longest[(i + 1) * width + j + 1] + 1 : Math.max(longest[(i + 1) * width + j], longest[i * width + j + 1]);
    }
  }
  const rows = [];
  let i = 0, j = 0;
  while (i < old.length || j < now.length) {
    if (i < old.length && j < now.length && old[i] === now[j]) {
      rows.push(kept(old[i++]));
      j++;
    } else if (i < old.length && (j === now.length || longest[(i + 1) * width + j] >= longest[i * width + j + 1])) rows.push(gone(old[i++]));
    else rows.push(come(now[j++]));
  }
  return rows;
}

function aroundChanges(all) {
  const near = new Uint8Array(all.length);
  all.forEach((row, at) => { if (row.sign !== ' ') near.fill(1, Math.max(0, at - AROUND), at + AROUND + 1); });
  const shown = [];
  let last = -1;
  all.forEach((row, at) => {
    if (!near[at]) return;
    if (at > last + 1) shown.push({sign: '…', text: ''});
    shown.push(row);
    last = at;
  });
  if (last >= 0 && last < all.length - 1) shown.push({sign: '…', text: ''});
  return shown;
}
