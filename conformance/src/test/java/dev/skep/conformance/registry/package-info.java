/** What a registry remembers. */
@NullMarked
package dev.skep.conformance.registry;

import org.jspecify.annotations.NullMarked;
