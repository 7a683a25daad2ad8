/** What the doctor makes of what it sees. */
@NullMarked
package dev.skep.app.doctor;

import org.jspecify.annotations.NullMarked;
