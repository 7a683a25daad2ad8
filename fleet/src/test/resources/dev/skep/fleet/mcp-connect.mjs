// Connects the MCP project's own client: generation 1 with a handshake, 2 without.
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';

/** What a tool's call came to: its data, or the error that a model would read. */
export const outcome = (result) =>
  result.isError ? { error: result.content[0].text } : result.structuredContent;

/** Answers: how a person answers questions; without it the client cannot ask. */
export async function connected(folder, generation, url, key, answers) {
  const load = (module) =>
    import(pathToFileURL(createRequire(pathToFileURL(folder + '/')).resolve(module)));
  const capabilities = answers ? { elicitation: { form: {} } } : {};
  const me = { name: 'stock', version: '1' };
  let client, Transport;
  if (generation === '1') {
    const { Client } = await load('@modelcontextprotocol/sdk/client/index.js');
    const http = await load('@modelcontextprotocol/sdk/client/streamableHttp.js');
    Transport = http.StreamableHTTPClientTransport;
    client = new Client(me, { capabilities });
  } else {
    const v2 = await load('@modelcontextprotocol/client');
    Transport = v2.StreamableHTTPClientTransport;
    const mode = generation === 'auto' ? 'auto' : { pin: '2026-07-28' };
    client = new v2.Client(me, { capabilities, versionNegotiation: { mode } });
    if (answers) client.setRequestHandler('elicitation/create', answers);
  }
  const headers = { Authorization: 'Bearer ' + key };
  await client.connect(new Transport(new URL(url + '/mcp'), { requestInit: { headers } }));
  const about = {
    server: client.getServerVersion()?.name,
    revision: client.getNegotiatedProtocolVersion?.() ?? '',
    instructions: (client.getInstructions() ?? '').length > 0,
  };
  return { client, about };
}
