/**
 * The one listener: HTTP and WebSocket on one port, on loopback unless configured otherwise, with
 * TLS on other addresses. Checks of host, origin, size and rate, security headers, problem details
 * and metrics are done here, once, for everything mounted on it.
 */
@NullMarked
package dev.skep.transport.http;

import org.jspecify.annotations.NullMarked;
