/** Mail as it is listed. Pure. */

/** "alice, bob and 3 more". */
export function names(recipients, most = 2) {
  const all = recipients.map(r => r.name);
  return all.length <= most + 1 ? all.join(', ') : `${all.slice(0, most).join(', ')} and ${all.length - most} more`;
}

export const unreadBy = mail => mail.recipients.filter(r => !r.readAt).length;

/** "read by 2 of 3". */
export function readState(mail) {
  const of = mail.recipients.length, read = of - unreadBy(mail);
  if (read === of) return 'read';
  return read === 0 ? 'unread' : `read by ${read} of ${of}`;
}

/** The draft of an answer: to whoever wrote, and for "all" to everybody else too. */
export function answerTo(mail, all = false) {
  const address = party => (party.hostName ? `${party.name}@${party.hostName}` : party.name);
  const others = all ? mail.recipients.filter(r => r.type !== 'bcc').map(address) : [];
  const subject = /^re:/i.test(mail.subject) ? mail.subject : `Re: ${mail.subject}`;
  return {to: [address(mail.from), ...others].join(', '), subject, replyTo: mail.id};
}
