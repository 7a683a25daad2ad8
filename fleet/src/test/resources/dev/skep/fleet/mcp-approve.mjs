// Decides an approval over MCP as a person's client does, and prints what happened.
import { connected, outcome } from './mcp-connect.mjs';

const [, , folder, generation, url, key, approval, decision, action] = process.argv;
const questions = [];
const answers = async (request) => {
  questions.push(request.params.message);
  return { action };
};
const { client } = await connected(folder, generation, url, key, action ? answers : undefined);
const shown = outcome(await client.callTool({ name: 'get_approval', arguments: { approval } }));
let result;
try {
  result = outcome(
    await client.callTool({ name: 'decide_approval', arguments: { approval, decision } }));
} catch (refused) {
  result = { code: refused.code, message: refused.message };
}
await client.close();
console.log(JSON.stringify({ command: shown.command ?? shown.error, questions, result }));
