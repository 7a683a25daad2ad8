/**
 * Keys that are shown once and stored as hashes: an org's access keys and registry tokens, agents'
 * API keys. A key is valid until it expires or is revoked.
 */
@NullMarked
package dev.skep.directory.key;

import org.jspecify.annotations.NullMarked;
