/**
 * A hub's side of enrolling hosts.
 *
 * <p>A host is unknown until it enrols with a pairing code or an access key and sends its public
 * key; from then on the key identifies it. At each connection the host answers a challenge of this
 * hub once and gets a token for a few minutes. During a rotation two versions of the key are
 * accepted. Revoking a host refuses its key, its tokens and its open links at once; only a code
 * made for it lets it back in. A host id whose key is known is never given to another key.
 */
@NullMarked
package dev.skep.directory.enrolment;

import org.jspecify.annotations.NullMarked;
