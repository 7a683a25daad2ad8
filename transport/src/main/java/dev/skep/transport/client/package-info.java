/** Calls a route table: over HTTP, or in this process if no other one runs. */
@NullMarked
package dev.skep.transport.client;

import org.jspecify.annotations.NullMarked;
