/** Every page of the app. */
import {overview} from './overview.js';
import {hosts} from './hosts.js';
import {host} from './host.js';
import {agents} from './agents.js';
import {agent} from './agent.js';
import {configuration} from './configuration.js';
import {newAgent} from './new-agent.js';
import {sessions} from './sessions.js';
import {session, logs} from './log.js';
import {mail} from './mail.js';
import {costs} from './costs.js';
import {nodes} from './nodes.js';
import {node} from './node.js';
import {jobs} from './jobs.js';
import {job} from './job.js';
import {servers} from './servers.js';
import {sync} from './sync.js';
import {alerts} from './alerts.js';
import {audit} from './audit.js';
import {settings} from './settings.js';

export const pages = [overview, hosts, host, agents, newAgent, agent, configuration, sessions, session, logs, mail, costs, nodes, node, jobs, job, servers, sync, alerts, audit, settings];
