/** The rules of the house that a machine can check, on all that ships. */
@NullMarked
package dev.skep.app.architecture;

import org.jspecify.annotations.NullMarked;
