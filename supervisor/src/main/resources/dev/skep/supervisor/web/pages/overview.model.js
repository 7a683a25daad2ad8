/** What needs a person, grouped; and where each thing leads. Pure. */
import {kindWords, leadsTo as subjectLeadsTo} from './alerts.model.js';

const ORDER = ['approval', 'alert', 'host', 'run', 'agent', 'budget', 'conflict'];

export const worstFirst = rows => [...rows].sort((a, b) => ORDER.indexOf(a.kind) - ORDER.indexOf(b.kind)
  || (a.severity === b.severity ? 0 : a.severity === 'bad' ? -1 : 1)
  || (a.since === b.since ? 0 : (a.since ?? '') > (b.since ?? '') ? -1 : 1)
  || (a.id < b.id ? -1 : 1));

export function leadsTo(item) {
  const id = encodeURIComponent(item.subject);
  switch (item.kind) {
    case 'host': return `/hosts/${id}`;
    case 'run': return Object.keys(item.among ?? {}).length ? `/jobs?${new URLSearchParams(item.among)}` : `/jobs/${id}`;
    case 'agent': case 'budget': case 'conflict': return `/agents/${id}`;
    case 'alert': return subjectLeadsTo(item.subject) || '/alerts';
    default: return '';
  }
}

/** What is said below the title; an alert says what it is about. */
export const detailOf = item => (item.kind === 'alert' ? kindWords(item.detail) : item.detail);
