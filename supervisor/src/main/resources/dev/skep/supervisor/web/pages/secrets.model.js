/** Seals secrets for hosts as HostSeal does, without a DOM: X25519, HKDF-SHA256, AES-256-GCM. */
const P = 2n ** 255n - 19n;
const NAME = /^[A-Z][A-Z0-9_]{0,63}$/;

const fromBase64 = text => Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), c => c.charCodeAt(0));
const toBase64 = bytes => btoa(String.fromCharCode(...bytes)).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
const utf8 = text => new TextEncoder().encode(text);
const joined = (...parts) => Uint8Array.from(parts.flatMap(part => [...part]));
const mod = n => ((n % P) + P) % P;

/** By Fermat: P is a prime. */
function inverse(n) {
  let result = 1n, base = mod(n);
  for (let e = P - 2n; e > 0n; e >>= 1n) {
    if (e & 1n) result = mod(result * base);
    base = mod(base * base);
  }
  return result;
}

/** An Ed25519 public key in the form of X25519: u = (1 + y) / (1 - y). */
export function montgomery(publicKey) {
  const bytes = fromBase64(publicKey);
  if (bytes.length !== 32) throw new Error('That is no public key of a host.');
  bytes[31] &= 0x7f;
  const y = bytes.reduceRight((sum, byte) => (sum << 8n) | BigInt(byte), 0n);
  const u = mod((1n + y) * inverse(1n - y));
  return Uint8Array.from({length: 32}, (_, i) => Number((u >> BigInt(8 * i)) & 0xffn));
}

/** What a seal is bound to. */
export const purpose = (host, name, version) => ['skep secret', host, name, version].join('\n');

/** A text that only the host can open, for this purpose only. */
export async function seal(publicKey, text, belongsTo, crypto = globalThis.crypto) {
  const own = crypto.subtle;
  if (!own) throw new Error('A browser seals only on pages that came over https, or from this machine. Use: skep secrets set');
  const host = montgomery(publicKey), once = await own.generateKey('X25519', true, ['deriveBits']);
  const made = new Uint8Array(await own.exportKey('raw', once.publicKey));
  const other = await own.importKey('raw', host, 'X25519', false, []);
  const shared = await own.deriveBits({name: 'X25519', public: other}, once.privateKey, 256);
  const secret = await own.importKey('raw', shared, 'HKDF', false, ['deriveKey']);
  const key = await own.deriveKey({name: 'HKDF', hash: 'SHA-256', salt: joined(made, host), info: utf8('skep seal 1')}, secret, {name: 'AES-GCM', length: 256}, false, ['encrypt']);
  const sealed = await own.encrypt({name: 'AES-GCM', iv: new Uint8Array(12), additionalData: utf8(belongsTo)}, key, utf8(text));
  return `1.${toBase64(joined(made, new Uint8Array(sealed)))}`;
}

/** Why a secret cannot be set so; empty if it can. */
export function problem(name, value) {
  if (!NAME.test(name)) return 'A name has at most 64 capital letters, digits and _, as DEPLOY_TOKEN.';
  const bytes = utf8(value).length;
  return value.length < 6 || bytes > 6000 ? 'A secret has at least 6 characters, and at most 6,000 bytes.' : '';
}

/** Those it can be sealed for, and the names of those it cannot. */
export const split = recipients => ({
  open: recipients.filter(r => r.allowed && r.publicKey),
  shut: recipients.filter(r => !r.allowed || !r.publicKey).map(r => r.hostName),
});

/** How far a secret is: hosts that have it, and those that it was not sealed for yet. */
export function standing(hosts) {
  const there = hosts.filter(h => h.state === 'succeeded').length, unsealed = hosts.filter(h => h.state === 'not sealed yet').map(h => h.hostName);
  const other = hosts.filter(h => h.state !== 'succeeded' && h.state !== 'not sealed yet').map(h => `${h.hostName} ${h.state}`);
  return [hosts.length ? `${there} of ${hosts.length} have it` : 'no such host yet', ...other, unsealed.length ? `not sealed yet for ${unsealed.join(', ')}` : ''].filter(Boolean).join('; ');
}
