/** Where somebody is signed in, each with a way to end it. */
import {html, nothing} from '../core/lit.js';
import {pill, when} from './bits.js';
import {shortTable} from './table.js';

export const signInTable = (rows, acts, end, current = '') => (rows.length ? shortTable({
  label: 'Sign-ins',
  rows,
  columns: [
    {label: 'With', cls: 'name', cell: s => html`${s.client ?? 'unknown'}${s.id === current ? html` ${pill('online', 'this one')}` : nothing}`},
    {label: 'From', width: 160, cls: 'wide mono', cell: s => s.address ?? '–'},
    {label: 'Org', width: 110, cls: 'wide', cell: s => s.org},
    {label: 'Since', width: 120, cls: 'wide', cell: s => when(s.createdAt)},
    {label: 'Last used', width: 120, narrow: 110, cell: s => when(s.usedAt)},
    {label: html`<span class="sr">Actions</span>`, width: 120, narrow: 90, cls: 'acts', cell: s => html`${acts.button(`end:${s.id}`, 'End', () => end(s.id))} ${acts.say(`end:${s.id}`)}`},
  ],
}) : html`<p class="soft">Nowhere.</p>`);
