/** The types of job, and who may create which; known to hubs and to the hosts that run them. */
@NullMarked
package dev.skep.kernel.job;

import org.jspecify.annotations.NullMarked;
