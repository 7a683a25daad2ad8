/**
 * A host of Skep in TypeScript: does the shell jobs whose command is a line of the file `allowed`.
 *
 * usage: node worker.ts HUB-URL [CODE]    (the code of `skep hosts pair`, the first time)
 * Keeps its key and id in the current folder. Runs without a build on Node 22.18, 24 or later.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { createHash, createPrivateKey, createPublicKey, generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';

type Json = Record<string, any>;
type Run = { attempt: number; process: ChildProcess; why?: 'cancelled' | 'timed_out' };

const [hub, code] = [process.argv[2].replace(/\/+$/, ''), process.argv[3]];
const kept = (file: string, make: () => string): string => {
  if (!existsSync(file)) writeFileSync(file, make(), { mode: 0o600 });
  return readFileSync(file, 'utf8');
};
const newKey = () =>
  generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
const key = createPrivateKey(kept('worker.key', newKey));
const publicKey: string = createPublicKey(key).export({ format: 'jwk' }).x!;
const host = kept('worker.id', ulid);
const place = createHash('sha256').update(`${hostname()} ${process.cwd()}`).digest('hex');
const running = new Map<string, Run>();
let token = { value: '', until: 0 };

/** 48 bits of milliseconds and 80 of chance, five bits to a letter. */
function ulid(): string {
  let number = (BigInt(Date.now()) << 80n) | BigInt('0x' + randomBytes(10).toString('hex'));
  let text = '';
  for (let i = 0; i < 26; i++, number >>= 5n) {
    text = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'[Number(number & 31n)] + text;
  }
  return text;
}

async function post(path: string, body: Json, bearer = ''): Promise<Json | undefined> {
  const headers = { 'Content-Type': 'application/json', ...(bearer && { Authorization: 'Bearer ' + bearer }) };
  const init = { method: 'POST', headers, body: JSON.stringify(body), signal: AbortSignal.timeout(60_000) };
  const answer = await fetch(hub + path, init);
  const text = await answer.text();
  if (!answer.ok) throw Object.assign(new Error(`${path}: ${text}`), { status: answer.status });
  return text ? JSON.parse(text) : undefined;
}

/** What a host signs: docs/worker-protocol.md. */
async function prove(path: string, purpose: string, more: Json = {}): Promise<Json> {
  const { hubId, nonce } = (await post('/api/link/challenge', { address: hub }))!;
  const at = new Date().toISOString().replace('Z', '000Z');
  const said = { hubId, nonce, hostId: host, publicKey, place, at, address: hub };
  const text = ['skep link 2', purpose, ...Object.values(said)].join('\n');
  const signature = sign(null, Buffer.from(text), key).toString('base64url');
  return (await post(path, { ...said, signature, ...more }))!;
}

/** Until it is taken: the hub knows a repeated piece or result. */
async function call(path: string, body: Json): Promise<Json | undefined> {
  for (;;) {
    try {
      if (Date.now() > token.until) {
        token = { value: (await prove('/api/link/token', 'TOKEN')).token, until: Date.now() + 120_000 };
      }
      return await post(path, body, token.value);
    } catch (failed: any) {
      console.error(String(failed));
      if (failed.status >= 400 && failed.status < 500 && ![401, 429].includes(failed.status)) return undefined;
      token.until = 0;
      await sleep(2_000);
    }
  }
}

async function beat(): Promise<never> {
  for (;;) {
    const held = [...running].map(([runId, { attempt }]) => ({ runId, attempt }));
    const answer = await call('/api/agent/heartbeat', { version: 'worker.ts', allows: ['jobs'], running: held });
    for (const order of answer?.runs ?? []) {
      if (order.do !== 'renewed') end(running.get(order.runId), 'cancelled');
    }
    await sleep((answer?.intervalSeconds ?? 5) * 1_000);
  }
}

function end(run: Run | undefined, why: 'cancelled' | 'timed_out'): void {
  if (!run || run.process.exitCode !== null) return;
  run.why = why;
  process.kill(-run.process.pid!, 'SIGKILL');
}

async function work(job: Json): Promise<void> {
  const [path, attempt, command] = ['/api/agent/runs/' + job.runId, job.attempt, job.payload.command];
  let status = 'failed';
  let result: Json = { error: 'the file `allowed` of this host does not list the command' };
  if (job.type === 'shell' && readFileSync('allowed', 'utf8').split('\n').includes(command)) {
    const words = ['-c', `exec 2>&1\n${command}`];
    const child = spawn('sh', words, { detached: true, stdio: ['ignore', 'pipe', 'inherit'] });
    const run: Run = { attempt, process: child };
    running.set(job.runId, run);
    const exited = new Promise<number | null>((done) => child.once('exit', done));
    const limit = setTimeout(() => end(run, 'timed_out'), (job.timeoutSeconds ?? 604_800) * 1_000);
    let n = 0;
    for await (const text of child.stdout!.setEncoding('utf8')) {
      for (let from = 0; from < text.length; from += 16_000) {
        const chunk = { n: n++, stream: 'stdout', text: text.slice(from, from + 16_000) };
        await call(path + '/output', { attempt, chunks: [chunk] });
      }
    }
    result = { exitStatus: await exited };
    clearTimeout(limit);
    status = run.why ?? (result.exitStatus === 0 ? 'succeeded' : 'failed');
  }
  await call(path + '/result', { attempt, status, result });
  running.delete(job.runId);
}

if (code) await prove('/api/link/enrol', 'ENROL', { code, name: hostname() });
void beat();
for (;;) {
  const job = await call(`/api/agent/jobs/next?wait=20&worker=${place}-${process.pid}`, {});
  if (job) await work(job);
}
