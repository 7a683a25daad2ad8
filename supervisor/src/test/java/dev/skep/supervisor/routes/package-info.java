/** Tests. */
@NullMarked
package dev.skep.supervisor.routes;

import org.jspecify.annotations.NullMarked;
