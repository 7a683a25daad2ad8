// A real OpenID provider for tests: accounts and groups are named by the login form itself, "name:group,group".
// Prints its address when it listens; "rotate" on standard input starts it again with another key.
import {createServer} from 'node:http';
import {createInterface} from 'node:readline';
import {pathToFileURL} from 'node:url';
import {generateKeyPairSync, randomUUID} from 'node:crypto';

const [packages, redirect] = process.argv.slice(2);
const {default: Provider} = await import(pathToFileURL(`${packages}/oidc-provider/lib/index.js`));

const key = () => ({
  ...generateKeyPairSync('rsa', {modulusLength: 2048}).privateKey.export({format: 'jwk'}),
  use: 'sig', alg: 'RS256', kid: randomUUID(),
});
const groups = new Map();
let handler = null;
const server = createServer((request, response) => handler(request, response));
server.listen(0, '127.0.0.1', () => {
  const issuer = `http://127.0.0.1:${server.address().port}`;
  start(issuer);
  console.log(issuer);
});

function start(issuer) {
  const provider = new Provider(issuer, {
    clients: [{
      client_id: 'skep', client_secret: 'the-client-secret-of-this-test', redirect_uris: [redirect],
      response_types: ['code'], grant_types: ['authorization_code'],
    }],
    jwks: {keys: [key()]},
    cookies: {keys: ['of this test only']},
    pkce: {required: () => true},
    scopes: ['openid', 'profile', 'groups'],
    claims: {openid: ['sub'], profile: ['preferred_username'], groups: ['groups']},
    findAccount: (context, id) => ({
      accountId: id,
      claims: () => ({sub: id, preferred_username: id, groups: groups.get(id) ?? []}),
    }),
    // Whoever logs in grants what was asked for.
    loadExistingGrant: async context => {
      const grant = new context.oidc.provider.Grant({
        clientId: context.oidc.client.clientId, accountId: context.oidc.session.accountId,
      });
      grant.addOIDCScope('openid profile groups');
      await grant.save();
      return grant;
    },
  });
  provider.proxy = false;
  // The form of the development pages sends the name; its groups are set through this path.
  const callback = provider.callback();
  handler = (request, response) => {
    const set = /^\/set-groups\/([^/]+)\/([^/]*)$/.exec(request.url);
    if (set) {
      groups.set(set[1], set[2] ? set[2].split(',') : []);
      return response.end('ok');
    }
    return callback(request, response);
  };
}

createInterface({input: process.stdin}).on('line', line => {
  if (line === 'rotate') {
    start(`http://127.0.0.1:${server.address().port}`);
    console.log('rotated');
  }
}).on('close', () => process.exit());
