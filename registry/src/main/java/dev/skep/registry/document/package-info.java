/**
 * The whole state of a registry as one JSON document, for backup and for moving. A document is read
 * to its end before anything is changed; what it holds is then merged, and merging it again changes
 * nothing.
 */
@NullMarked
package dev.skep.registry.document;

import org.jspecify.annotations.NullMarked;
