// Drives a hub through a client whose types are generated from its OpenAPI document.
import assert from 'node:assert/strict';
import createClient from 'openapi-fetch';
import type {components, paths} from './api.js';

const [baseUrl, token] = [process.env.SKEP_URL ?? '', process.env.SKEP_TOKEN ?? ''];
const api = createClient<paths>({baseUrl, headers: {Authorization: `Bearer ${token}`}});
const org = 'default';

// Hosts: listed, found, changed; a wrong limit is a problem with a stable code.
const hosts = await api.GET('/api/orgs/{org}/hosts', {params: {path: {org}, query: {status: 'online', limit: 10}}});
assert.ok(hosts.data, 'hosts are listed');
const host: components['schemas']['HostDetails'] | undefined = hosts.data.hosts[0];
assert.ok(host);
const inOneHost = {params: {path: {org, host: host.id}}};
const changed = await api.PATCH('/api/orgs/{org}/hosts/{host}', {...inOneHost, body: {labels: {team: 'red'}, maxConcurrent: 3}});
assert.equal(changed.data?.maxConcurrent, 3);
const wrong = await api.PATCH('/api/orgs/{org}/hosts/{host}', {...inOneHost, body: {maxConcurrent: -1}});
assert.equal(wrong.error?.code, 'bad_request');
assert.equal(wrong.error?.status, 400);
const one = await api.GET('/api/orgs/{org}/hosts/{host}', inOneHost);
assert.equal(one.data?.host.name, host.name);

// Jobs: created, followed to their end, with what they printed; cancelled.
const made = await api.POST('/api/orgs/{org}/jobs', {
  params: {path: {org}},
  body: {hostId: host.id, type: 'shell', payload: {command: 'echo from typescript'}, idempotencyKey: 'ts-1'},
});
assert.ok(made.data, JSON.stringify(made.error));
assert.equal(made.response.status, 201);
const inJob = {path: {org, job: made.data.id}};
let job = made.data;
for (const end = Date.now() + 60_000; ['pending', 'running'].includes(job.status) && Date.now() < end;) {
  await new Promise(again => setTimeout(again, 50));
  const asked = await api.GET('/api/orgs/{org}/jobs/{job}', {params: inJob});
  assert.ok(asked.data);
  job = asked.data;
}
assert.equal(job.status, 'succeeded');
const printed = await api.GET('/api/orgs/{org}/jobs/{job}/runs/{run}/output', {params: {path: {...inJob.path, run: job.run.id}}});
assert.equal(printed.data?.chunks.map(chunk => chunk.text).join(''), 'from typescript\n');
const again = await api.POST('/api/orgs/{org}/jobs', {
  params: {path: {org}},
  body: {hostId: host.id, type: 'shell', payload: {command: 'echo from typescript'}, idempotencyKey: 'ts-1'},
});
assert.equal(again.data?.id, job.id);
assert.equal(again.response.status, 200);
const later = await api.POST('/api/orgs/{org}/jobs', {
  params: {path: {org}},
  body: {hostId: host.id, type: 'shell', payload: {command: 'true'}, runAt: '2099-01-01T00:00:00Z'},
});
assert.ok(later.data);
const cancelled = await api.POST('/api/orgs/{org}/jobs/{job}/cancel', {params: {path: {org, job: later.data.id}}});
assert.equal(cancelled.data?.status, 'cancelled');
const page = await api.GET('/api/orgs/{org}/jobs', {params: {path: {org}, query: {hostId: host.id, status: 'cancelled'}}});
assert.deepEqual(page.data?.jobs.map(each => each.id), [later.data.id]);

// Agents: listed, paused and resumed.
const agents = await api.GET('/api/runner/agents');
assert.deepEqual(agents.data?.agents.filter(agent => agent.kind === 'agent').map(agent => agent.username), ['carol']);
const paused = await api.POST('/api/runner/agents/{agent}/pause', {params: {path: {agent: 'carol'}}});
assert.match(paused.data?.message ?? '', /carol/);
const nobody = await api.POST('/api/runner/agents/{agent}/pause', {params: {path: {agent: 'nobody'}}});
assert.ok(nobody.error?.detail);

// Alerts: one is raised by hand and read; webhooks that would send them.
const failing = await api.POST('/api/orgs/{org}/jobs', {
  params: {path: {org}},
  body: {hostId: host.id, type: 'shell', payload: {command: 'exit 3'}},
});
assert.ok(failing.data);
let alerts: components['schemas']['AlertDetails'][] = [];
for (const end = Date.now() + 60_000; alerts.length === 0 && Date.now() < end;) {
  await new Promise(soon => setTimeout(soon, 50));
  alerts = (await api.GET('/api/orgs/{org}/alerts', {params: {path: {org}}})).data?.alerts ?? [];
}
assert.equal(alerts[0]?.kind, 'JOB_FAILED');
assert.match(alerts[0]?.subject ?? '', /^job:/);
const hook = await api.POST('/api/orgs/{org}/webhooks', {
  params: {path: {org}},
  body: {kind: 'generic', name: 'ci', url: 'http://127.0.0.1:9/hook', topics: ['JOB_FAILED']},
});
assert.match(hook.data?.secret ?? '', /^whsec_/);
const removed = await api.DELETE('/api/orgs/{org}/webhooks/{webhook}', {params: {path: {org, webhook: hook.data?.webhook.id ?? ''}}});
assert.equal(removed.response.status, 204);

// Settings: changed, and put back.
const settings = await api.PATCH('/api/orgs/{org}/settings', {params: {path: {org}}, body: {offlineAfterSeconds: 600}});
assert.equal(settings.data?.offlineAfterSeconds, 600);
const usual = await api.PATCH('/api/orgs/{org}/settings', {params: {path: {org}}, body: {offlineAfterSeconds: null}});
assert.equal(usual.data?.set.offlineAfterSeconds, null);

console.log('all of it worked');
