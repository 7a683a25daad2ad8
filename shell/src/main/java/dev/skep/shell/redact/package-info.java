/** Removes secrets from text before it is stored, shown or sent. */
@NullMarked
package dev.skep.shell.redact;

import org.jspecify.annotations.NullMarked;
