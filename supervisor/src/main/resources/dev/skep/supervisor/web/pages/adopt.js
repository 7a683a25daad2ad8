/** Another host takes over agents of one that does not answer. */
import {adoptAgent} from '../core/actions.js';
import {plural} from '../core/format.js';
import {ask} from '../ui/dialog.js';
import {workingHosts} from '../ui/host-filter.js';
import {isThere} from './hosts.model.js';

/** Asks where to, and for the name of what is moved. */
export async function adopt(ctx, agents, from, confirm) {
  const targets = (await workingHosts(ctx.invalidate)).filter(h => isThere(h) && h.id !== from.id);
  const title = agents.length === 1 ? `Adopt ${agents[0].username} of ${from.name}` : `Adopt ${plural(agents.length, 'agent')} of ${from.name}`;
  if (!targets.length) {
    ask({title, text: 'No other host answers. Adopt them when one does.', act: 'Close', run: async () => {}});
    return;
  }
  ask({
    title,
    text: 'Another host takes over with the mail. If this host comes back, its copies stay stopped.',
    act: 'Adopt',
    danger: true,
    confirm,
    fields: [{name: 'to', label: 'New host', options: targets.map(t => [t.id, t.name])}],
    run: async v => {
      for (const agent of agents) await adoptAgent(agent.id, v.to);
    },
  });
}
