/**
 * A host's side of joining hubs: enrol once, then prove itself at each connection.
 *
 * <p>For each hub: not enrolled → (code or access key) → enrolled → token → link. A key that was
 * rotated is brought to the hub before the next token. A hub that no longer knows this host is
 * enrolled with again if there is an access key; else the error says how.
 */
@NullMarked
package dev.skep.directory.link;

import org.jspecify.annotations.NullMarked;
