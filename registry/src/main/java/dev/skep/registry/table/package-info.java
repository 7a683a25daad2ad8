/** The synced tables of the registry, and the only classes that read and write them. */
@NullMarked
package dev.skep.registry.table;

import org.jspecify.annotations.NullMarked;
