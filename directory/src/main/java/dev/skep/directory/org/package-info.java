/** Tenants. Nothing crosses from one org to another, and the default org always exists. */
@NullMarked
package dev.skep.directory.org;

import org.jspecify.annotations.NullMarked;
