// An editor on the official SDK: a command a line in, what it hears a line out. Arguments: the
// folder of the packages, then the command of the agent.
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { Readable, Writable } from 'node:stream';
import { pathToFileURL } from 'node:url';

const [, , packages, ...command] = process.argv;
const sdk = pathToFileURL(packages + '/@agentclientprotocol/sdk/dist/v1/stable/acp.js');
const acp = await import(sdk);
const { agent: call, client: heard } = acp.methods;
const say = (what) => process.stdout.write(JSON.stringify(what) + '\n');

const agent = spawn(command[0], command.slice(1), { stdio: 'pipe' });
createInterface({ input: agent.stderr }).on('line', (line) => say({ log: line }));
process.on('exit', () => agent.kill());

let choose = 'allow_once';
const editor = acp.client({ name: 'editor' })
  .onRequest(heard.session.requestPermission, async ({ params }) => {
    const option = params.options.find((each) => each.kind === choose);
    say({ asked: params.toolCall.title ?? params.toolCall.toolCallId });
    return { outcome: { outcome: 'selected', optionId: option.optionId } };
  })
  .onNotification(heard.session.update, ({ params }) => say({ update: params.update }))
  .connect(acp.ndJsonStream(Writable.toWeb(agent.stdin), Readable.toWeb(agent.stdout))).agent;

const { agentCapabilities } = await editor.request(
  call.initialize, { protocolVersion: acp.PROTOCOL_VERSION, clientCapabilities: {} });
say({ loads: agentCapabilities.loadSession });

let sessionId;
const does = {
  open: async () => {
    ({ sessionId } = await editor.request(call.session.new, { cwd: '/', mcpServers: [] }));
    say({ session: sessionId });
  },
  load: async (id) => {
    sessionId = id;
    await editor.request(call.session.load, { sessionId, cwd: '/', mcpServers: [] });
    say({ session: sessionId });
  },
  prompt: async (text) => {
    const prompt = [{ type: 'text', text }];
    const { stopReason } = await editor.request(call.session.prompt, { sessionId, prompt });
    say({ stop: stopReason });
  },
  cancel: () => editor.notify(call.session.cancel, { sessionId }),
  choose: async (kind) => { choose = kind; },
};
for await (const line of createInterface({ input: process.stdin })) {
  const [what, argument] = JSON.parse(line);
  does[what](argument).catch((failure) => say({ failed: failure.message }));
}
process.exit(0);
