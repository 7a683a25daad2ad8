/** How sync stands, as people are told. */
@NullMarked
package dev.skep.sync.module;

import org.jspecify.annotations.NullMarked;
