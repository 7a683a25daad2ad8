/** What to say about a job that somebody's click made. Pure. */
const ENDED = {failed: 'Failed', timed_out: 'Took too long', lost: 'The host was lost', cancelled: 'Cancelled'};

export function jobNote(job) {
  switch (job?.status) {
    case undefined: case 'pending': return {text: 'Sent to the host', over: false, bad: false};
    case 'running': return {text: 'The host is at it', over: false, bad: false};
    case 'succeeded': return {text: 'Done', over: true, bad: false};
    default: return {text: job.problem ? `${ENDED[job.status] ?? job.status}: ${job.problem}` : ENDED[job.status] ?? job.status, over: true, bad: true};
  }
}
