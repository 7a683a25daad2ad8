/** What the page about oneself decides. Pure. */

/** In fours, which people can type. */
export const keyGroups = secret => secret.match(/.{1,4}/g).join(' ');

/** The secret of a pasted link, or of what was pasted without the address. */
export const tokenOf = link => link.trim().replace(/^.*#/, '');
