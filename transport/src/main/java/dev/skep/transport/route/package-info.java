/**
 * Routes as data: the method and path, who may call, which org it concerns, and the handler. No
 * HTTP library is named here, so the same table serves the listener, the local command line and the
 * tests that are generated from it.
 *
 * <p>A request is checked in this order: path, method, caller (401), the org in the path (404, as
 * for a nonsense id), the role (403), then the handler runs.
 */
@NullMarked
package dev.skep.transport.route;

import org.jspecify.annotations.NullMarked;
