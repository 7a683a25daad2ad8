import {html} from '../core/lit.js';
import {get, inOrg} from '../core/api.js';
import {changeSettings} from '../core/actions.js';
import {ask} from '../ui/dialog.js';
import {facts} from '../ui/bits.js';
import {seconds, time} from './settings.model.js';

export const loadRules = () => get(inOrg('/settings'));

/** What the org sets about its hosts and jobs; empty in the dialog: as every org. */
export const rules = (r, then) => html`<section class="part"><h2>Hosts and jobs<span class="push"><button @click=${() => edit(r, then)}>Edit</button></span></h2>${facts([
  ['Offline after', said(r, 'offlineAfterSeconds', time)],
  ['A job’s lease', said(r, 'jobLeaseSeconds', time)],
  ['Degraded above', html`${said(r, 'degradedCpuPercent', percent)} load, ${said(r, 'degradedMemoryPercent', percent)} memory, ${said(r, 'degradedDiskPercent', percent)} disk`],
])}<p class="soft">A silent host is offline after the first; a run of one that sends no heartbeat for the second is lost, and tried again if it may be. A change counts at once.</p></section>`;

const percent = number => `${number} %`;
const said = (r, name, shown) => html`${shown(r[name])}${r.set[name] === null ? html` <span class="soft">as usual</span>` : ''}`;

const edit = (r, then) => ask({
  title: 'Hosts and jobs',
  text: 'What is empty is as for every org.',
  act: 'Save',
  fields: [
    length(r, 'offlineAfterSeconds', 'Offline after a silence of, such as 2m; 1m to 24h'),
    length(r, 'jobLeaseSeconds', 'A run is lost without a heartbeat for, such as 30s; 30s to 1h'),
    share(r, 'degradedCpuPercent', 'Degraded above this load, in percent; 100 for never'),
    share(r, 'degradedMemoryPercent', 'Degraded above this use of memory, in percent'),
    share(r, 'degradedDiskPercent', 'Degraded above this use of a disk, in percent'),
  ],
  run: values => then(changeSettings)({
    offlineAfterSeconds: seconds(values.offlineAfterSeconds),
    jobLeaseSeconds: seconds(values.jobLeaseSeconds),
    degradedCpuPercent: number(values.degradedCpuPercent),
    degradedMemoryPercent: number(values.degradedMemoryPercent),
    degradedDiskPercent: number(values.degradedDiskPercent),
  }),
});

const number = text => (text ? Number(text) : null);
const length = (r, name, label) => ({name, label, value: r.set[name] === null ? '' : time(r.set[name]), required: false});
const share = (r, name, label) => ({name, label, type: 'number', value: r.set[name] === null ? '' : String(r.set[name]), required: false});
