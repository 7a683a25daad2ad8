// The MCP project's own client, of either generation: looks around, sends mail, has a job done.
// Prints one JSON object.
import { connected, outcome } from './mcp-connect.mjs';

const [, , folder, generation, url, key, agent] = process.argv;
const { client, about } = await connected(folder, generation, url, key);
const call = async (name, args = {}) => outcome(await client.callTool({ name, arguments: args }));

const seen = { ...about };
const tools = (await client.listTools()).tools;
seen.tools = tools.map((tool) => tool.name);
seen.destructive = tools.filter((tool) => tool.annotations.destructiveHint).map((tool) => tool.name);
seen.withoutSchema = tools.filter((tool) => !tool.outputSchema).map((tool) => tool.name);
const hosts = (await call('list_hosts')).hosts;
seen.hosts = hosts.length;
seen.agents = (await call('list_agents')).rows.map((row) => row.username ?? row.name);
const page = await call('list_agents', { limit: 1 });
const rest = await call('list_agents', { limit: 200, cursor: page.next });
seen.paged = [...page.rows, ...rest.rows].map((row) => row.username);
seen.nodes = Array.isArray((await call('list_nodes')).rows);
seen.sent = await call('send_mail', { to: agent, subject: 'from outside', body: 'hello' });
seen.mail = (await call('read_mail', { q: 'outside' })).rows?.map((mail) => mail.subject);
seen.log = Array.isArray((await call('read_log', { agent })).lines);
seen.costs = Array.isArray((await call('read_costs', { by: 'agent' })).buckets);
seen.sessions = Array.isArray((await call('list_sessions', { agent })).rows);
seen.approvals = Array.isArray((await call('list_approvals')).rows);
seen.alerts = Array.isArray((await call('list_alerts')).alerts);
seen.agent = (await call('get_agent', { agent })).agent?.username;
seen.unknownAgent = await call('read_log', { agent: 'nobody' });
const host = hosts.find((each) => each.kind !== 'hub') ?? hosts[0];
seen.host = (await call('get_host', { host: host.name })).host?.id === host.id;
seen.hostById = (await call('get_host', { host: host.id })).host?.name === host.name;
seen.unknownHost = await call('get_host', { host: 'nowhere' });
const job = await call('create_job',
  { type: 'agent.pause', hostId: host.name, payload: { agent } });
seen.created = job.id ?? job.error;
const done = await call('get_job', { job: job.id, wait_seconds: 30 });
seen.status = done.job?.status ?? done.error;
seen.jobs = (await call('list_jobs', { host: host.name, type: 'agent.pause', limit: 1 })).jobs?.length;
const again = await call('retry_job', { job: job.id });
seen.retried = (await call('get_job', { job: again.id, wait_seconds: 30 })).job?.status ?? again.error;
seen.badNumber = await call('get_job', { job: job.id, wait_seconds: 1000 });
seen.unknownField = await call('list_hosts', { colour: 'red' });
seen.unknownJob = await call('get_job', { job: 'none' });
await client.close();
console.log(JSON.stringify(seen));
