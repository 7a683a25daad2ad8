/**
 * The whole state of a registry as one JSON document, for backups and for moving. A document is
 * read completely before anything is changed; its contents are then merged, and merging it again
 * changes nothing.
 */
@NullMarked
package dev.skep.registry.document;

import org.jspecify.annotations.NullMarked;
