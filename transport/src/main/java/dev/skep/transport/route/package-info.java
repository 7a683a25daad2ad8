/**
 * Routes as data: what is asked, who may ask, whose org it is about, and the code that answers. No
 * HTTP library is named here, so the same table answers a socket, the local command line and the
 * tests that are generated from it.
 *
 * <p>The order in which a request is judged: path, method, who asks (401), the org in the path
 * (404, as for a nonsense id), the role (403), then the handler.
 */
@NullMarked
package dev.skep.transport.route;

import org.jspecify.annotations.NullMarked;
