/** What jobs there are, and who may ask for which: known to hubs and to the hosts that do them. */
@NullMarked
package dev.skep.kernel.job;

import org.jspecify.annotations.NullMarked;
