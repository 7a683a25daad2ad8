/** Creates, stores and compares secrets: random, in owner-only files, hashed at rest. */
@NullMarked
package dev.skep.directory.secret;

import org.jspecify.annotations.NullMarked;
