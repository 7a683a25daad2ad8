/** What people can do, each by the route of the feature that owns it. The only place that names them. */
import {del, get, inOrg, patch, post, put, remove} from './api.js';
import {thisClient} from './client.js';

const id = encodeURIComponent;

export const agentAct = (agent, action, text) => post(inOrg(`/agents/${id(agent)}/${action}`), text ? {text} : {});
/** To many: each answer by name, and how many did it. */
export const agentsAct = (agents, action, text) => post(inOrg('/agents/actions'), {action, agents, ...(text ? {text} : {})});
export const stopAll = reason => post(inOrg('/hold'), reason ? {reason} : {});
export const letAllGo = () => del(inOrg('/hold'));
export const adoptAgent = (agent, host) => post(inOrg(`/agents/${id(agent)}/adopt`), {host});
export const createAgent = agent => post(inOrg('/agents'), agent);
export const checkAgentFile = (file, username) => post(inOrg('/agents/check'), username ? {file, username} : {file});
/** The version is the one that the text was made from. */
export const editAgent = (agent, version, edit) => put(inOrg(`/agents/${id(agent)}`), edit, version);
export const rollBackAgent = (agent, version, number, edit) => post(inOrg(`/agents/${id(agent)}/versions/${number}/restore`), {...edit, version});
export const removeAgent = (agent, version, how) => remove(inOrg(`/agents/${id(agent)}`), how, version);
export const restoreAgent = agent => post(inOrg(`/agents/${id(agent)}/restore`));
/** The decision is approve, always or deny; only a denial has a reason. */
export const decideApproval = (approval, decision, reason) => post(inOrg(`/approvals/${id(approval)}`), reason ? {decision, reason} : {decision});
export const sendMail = draft => post(inOrg('/mail'), draft);

export const createJob = job => post(inOrg('/jobs'), job);
export const cancelJob = job => post(inOrg(`/jobs/${id(job)}/cancel`));
export const retryJob = job => post(inOrg(`/jobs/${id(job)}/retry`));
export const actOnServer = async (server, action) => ({outcome: 'queued', job: (await createJob({serverInstanceId: server, type: `server.${action}`, payload: {}})).id});
export const addServer = server => post(inOrg('/servers'), server);
export const removeServer = server => del(inOrg(`/servers/${id(server)}`));

export const changeHost = (host, change) => patch(inOrg(`/hosts/${id(host)}`), change);
export const rotateHostKey = host => post(inOrg(`/enrolments/${id(host)}/rotate`));
export const revokeHost = host => del(inOrg(`/enrolments/${id(host)}`));
export const removeNode = (host, node) => del(inOrg(`/nodes/${id(host)}/${id(node)}`));
export const makePairingCode = () => post(inOrg('/pairing-codes'));

export const addWebhook = webhook => post(inOrg('/webhooks'), webhook);
/** Done only when the other side took it: what it answered is said, whichever it was. */
export async function testWebhook(webhook) {
  const fared = await post(inOrg(`/webhooks/${id(webhook)}/test`));
  if (fared.state !== 'done') throw new Error(`It did not arrive: ${fared.lastError ?? 'nobody answered'}.`);
  return {note: `It arrived: HTTP ${fared.lastStatus}`};
}
export const removeWebhook = webhook => del(inOrg(`/webhooks/${id(webhook)}`));

export const secretRecipients = (name, targets) => get(inOrg(`/secrets/${id(name)}/recipients`), {targets: targets.join(',')});
export const setSecret = (name, sealed) => put(inOrg(`/secrets/${id(name)}`), sealed);
export const removeSecret = name => del(inOrg(`/secrets/${id(name)}`));
export const addChannel = channel => post(inOrg('/notifications/channels'), channel);
export const changeChannel = (channel, kinds) => patch(inOrg(`/notifications/channels/${id(channel)}`), {kinds});
export const removeChannel = channel => del(inOrg(`/notifications/channels/${id(channel)}`));
export const testChannel = channel => post(inOrg(`/notifications/channels/${id(channel)}/test`));
export const setMailServer = server => put(inOrg('/mail-server'), server);
export const removeMailServer = () => del(inOrg('/mail-server'));

export const markRead = message => post(inOrg(`/mail/${id(message)}/read`));

export const addOperator = operator => post(inOrg('/operators'), operator);
export const changeSettings = change => patch(inOrg('/settings'), change);
export const changeOperator = (operator, change) => patch(inOrg(`/operators/${id(operator)}`), change);
export const resetOperator = operator => post(inOrg(`/operators/${id(operator)}/reset`));

export const endSignInOf = (operator, signIn) => del(inOrg(`/operators/${id(operator)}/sign-ins/${id(signIn)}`));
export const resetSecondFactor = operator => del(inOrg(`/operators/${id(operator)}/second-factor`));

export const signIn = credentials => post('/api/session', {...credentials, client: thisClient()});
export const signInWithLink = (token, code) => post('/api/session/link', {token, client: thisClient(), ...(code ? {code} : {})});
/** What came back from an identity provider, to sign in or to connect the account to who is signed in. */
export const signInWithIdentity = ({flow, state, code}) => post('/api/session/identity', {flow, state, code, client: thisClient()});
export const connectIdentity = ({flow, state, code}) => post('/api/session/identities', {flow, state, code});
export const disconnectProvider = provider => del(`/api/session/identities/${id(provider)}`);
export const turnToOrg = org => put('/api/session/org', {org});
export const joinOrg = token => post('/api/session/orgs', {token});
export const setPassword = passwords => put('/api/session/password', {...passwords, client: thisClient()});
export const beginSecondFactor = values => post('/api/session/second-factor', values);
export const confirmSecondFactor = ({code}) => put('/api/session/second-factor', {code});
export const removeSecondFactor = ({code}) => post('/api/session/second-factor/remove', {code});
export const endSignIn = signIn => del(`/api/session/sign-ins/${id(signIn)}`);
export const signOut = () => del('/api/session');
