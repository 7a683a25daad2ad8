/**
 * A host's side of joining hubs: it enrols once, then proves its identity at each connection.
 *
 * <p>For each hub: not enrolled → (code or access key) → enrolled → token → link. A rotated key is
 * sent to the hub before the next token. If a hub no longer knows this host, the host enrols again
 * if it has an access key; otherwise the error says what to do.
 */
@NullMarked
package dev.skep.directory.link;

import org.jspecify.annotations.NullMarked;
