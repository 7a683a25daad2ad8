/**
 * Keys that are shown once and kept as hashes: an org's access keys and registry tokens, agents'
 * API keys. A key is usable from its making until it expires or is revoked, whichever comes first.
 */
@NullMarked
package dev.skep.directory.key;

import org.jspecify.annotations.NullMarked;
