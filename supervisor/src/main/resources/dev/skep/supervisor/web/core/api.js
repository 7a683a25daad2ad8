/** Asks the server; what it refuses becomes a Problem that says why in words for people. */
export class Problem extends Error {
  constructor(status, code, detail, more = {}) {
    super(detail);
    this.status = status;
    this.code = code;
    /** Whatever else the answer has. */
    this.more = more;
  }
}

let org = '';

export const setOrg = name => { org = name; };

/** The path of something in the signed-in org. */
export const inOrg = path => `/api/orgs/${encodeURIComponent(org)}${path}`;

export const get = (path, query = {}, signal) => ask('GET', withQuery(path, query), undefined, signal);
export const post = (path, body = {}) => ask('POST', path, body);
export const patch = (path, body) => ask('PATCH', path, body);
export const del = path => ask('DELETE', path);
/** Changes a thing only if it is still at the version that was seen. */
export const put = (path, body, version) => ask('PUT', path, body, undefined, {'If-Match': `"${version}"`});
export const remove = (path, body, version) => ask('DELETE', path, body, undefined, {'If-Match': `"${version}"`});

export function withQuery(path, query) {
  const entries = Object.entries(query).filter(([, v]) => v !== '' && v !== null && v !== undefined);
  return entries.length ? `${path}?${new URLSearchParams(entries)}` : path;
}

async function ask(method, path, body, signal, headers = {}) {
  let response;
  try {
    response = await fetch(path, {
      method,
      signal,
      headers: body === undefined ? headers : {...headers, 'Content-Type': 'application/json'},
      body: body === undefined ? undefined : JSON.stringify(body),
    });
  } catch (failure) {
    if (failure.name === 'AbortError') throw failure;
    throw new Problem(0, 'unreachable', 'The server does not answer. Is it running?');
  }
  if (response.ok) {
    return response.status === 204 ? null : response.json();
  }
  const problem = await response.json().catch(() => ({}));
  throw new Problem(response.status, problem.code ?? 'unknown', problem.detail ?? `The server answered ${response.status}.`, problem);
}
