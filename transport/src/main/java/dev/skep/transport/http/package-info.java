/**
 * The one listener: HTTP and WebSocket on one port, loopback unless told otherwise, TLS off
 * loopback. Checks of host, origin, size and rate, security headers, problem details and metrics
 * are done here, once, for everything mounted on it.
 */
@NullMarked
package dev.skep.transport.http;

import org.jspecify.annotations.NullMarked;
