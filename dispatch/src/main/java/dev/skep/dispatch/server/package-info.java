/** Server instances: managed processes, each of exactly one host. */
@NullMarked
package dev.skep.dispatch.server;

import org.jspecify.annotations.NullMarked;
