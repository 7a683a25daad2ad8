// A stock MCP client: says hello, looks around, sends mail, has a job done. Prints one JSON object.
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';

const [, , folder, url, key, agent] = process.argv;
const require = createRequire(pathToFileURL(folder + '/'));
const load = (path) => import(pathToFileURL(require.resolve('@modelcontextprotocol/sdk/' + path)));
const { Client } = await load('client/index.js');
const { StreamableHTTPClientTransport } = await load('client/streamableHttp.js');

const client = new Client({ name: 'stock', version: '1' });
const headers = { Authorization: 'Bearer ' + key };
await client.connect(
  new StreamableHTTPClientTransport(new URL(url + '/mcp'), { requestInit: { headers } }));

const call = async (name, args = {}) => {
  const result = await client.callTool({ name, arguments: args });
  return result.isError ? { error: result.content[0].text } : result.structuredContent;
};

const seen = { server: client.getServerVersion().name };
seen.tools = (await client.listTools()).tools.map((tool) => tool.name);
const hosts = (await call('list_hosts')).hosts;
seen.hosts = hosts.length;
seen.agents = (await call('list_agents')).rows.map((row) => row.username ?? row.name);
seen.nodes = Array.isArray((await call('list_nodes')).rows);
seen.sent = await call('send_mail', { to: agent, subject: 'from outside', body: 'hello' });
seen.mail = (await call('read_mail', { q: 'outside' })).rows?.map((mail) => mail.subject);
seen.log = Array.isArray((await call('read_log', { agent })).lines);
seen.unknownAgent = await call('read_log', { agent: 'nobody' });
const host = hosts.find((each) => each.kind !== 'hub') ?? hosts[0];
const job = await call('create_job',
  { type: 'agent.pause', hostId: host.id ?? host.hostId, payload: { agent } });
seen.created = job.id ?? job.error;
const done = await call('get_job', { job: job.id, wait_seconds: 30 });
seen.status = done.job?.status ?? done.error;
seen.badNumber = await call('get_job', { job: job.id, wait_seconds: 1000 });
seen.unknownField = await call('list_hosts', { colour: 'red' });
seen.unknownJob = await call('get_job', { job: 'none' });
await client.close();
console.log(JSON.stringify(seen));
