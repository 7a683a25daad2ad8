/** What hosts are labelled with, and the tests by which people choose among them. */
@NullMarked
package dev.skep.kernel.label;

import org.jspecify.annotations.NullMarked;
