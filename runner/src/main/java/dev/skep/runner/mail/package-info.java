/** Notifies agents of new mail. */
@NullMarked
package dev.skep.runner.mail;

import org.jspecify.annotations.NullMarked;
