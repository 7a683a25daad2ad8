/** Paths and queries, read and written. Pure. */

/** Matches "/hosts/:host" against a path; the parameters, or null. */
export function matchPath(pattern, path) {
  const want = pattern.split('/'), have = path.replace(/(?<=.)\/$/, '').split('/');
  if (want.length !== have.length) return null;
  const params = {};
  for (let i = 0; i < want.length; i++) {
    if (want[i].startsWith(':')) {
      if (!have[i]) return null;
      try {
        params[want[i].slice(1)] = decodeURIComponent(have[i]);
      } catch {
        return null;
      }
    } else if (want[i] !== have[i]) {
      return null;
    }
  }
  return params;
}

/** The first page whose path fits. */
export function findPage(pages, path) {
  for (const page of pages) {
    const params = matchPath(page.path, path);
    if (params) return {page, params};
  }
  return null;
}

export const readQuery = search => Object.fromEntries(new URLSearchParams(search));

/** A query with some values changed; empty ones vanish, so that a plain view has a plain address. */
export function writeQuery(query, patch = {}) {
  const entries = Object.entries({...query, ...patch}).filter(([, v]) => v !== '' && v !== null && v !== undefined);
  const text = new URLSearchParams(entries).toString();
  return text ? `?${text}` : '';
}
