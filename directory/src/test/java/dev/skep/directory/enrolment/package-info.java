@NullMarked
package dev.skep.directory.enrolment;

import org.jspecify.annotations.NullMarked;
