/** What operations are for, take and answer, as their routes say it, and the schemas of records. */
@NullMarked
package dev.skep.transport.describe;

import org.jspecify.annotations.NullMarked;
