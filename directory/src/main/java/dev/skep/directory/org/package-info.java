/** Tenants: nothing crosses them, and the default one is always there. */
@NullMarked
package dev.skep.directory.org;

import org.jspecify.annotations.NullMarked;
