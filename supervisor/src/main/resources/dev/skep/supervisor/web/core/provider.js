/** Signing in at an identity provider: this tab keeps what was started, so that no other one can finish it. */
import {post} from './api.js';

const STARTED = 'skep.provider';

/** Goes to the provider; it sends the browser back to the sign-in page. */
export async function goToProvider(id, then) {
  const {url, flow} = await post(`/api/session/providers/${encodeURIComponent(id)}`, {redirect: `${location.origin}/sign-in`});
  sessionStorage.setItem(STARTED, JSON.stringify({flow, ...then}));
  location.assign(url);
}

/** What the provider sent this page back with, taken out of the address; null if it was not that. */
export function backFromProvider() {
  const query = new URLSearchParams(location.search), started = sessionStorage.getItem(STARTED);
  if (!query.has('state') || !(query.has('code') || query.has('error'))) return null;
  history.replaceState(null, '', '/sign-in');
  sessionStorage.removeItem(STARTED);
  return {...(started ? JSON.parse(started) : {flow: ''}), state: query.get('state'), code: query.get('code'), error: query.get('error')};
}
