/**
 * Looks at everything a process of this data dir would stand on and says how to mend what is wrong:
 * it changes nothing, and works beside a running process as well as with none.
 */
@NullMarked
package dev.skep.app.doctor;

import org.jspecify.annotations.NullMarked;
