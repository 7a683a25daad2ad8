/** What dispatch answers over HTTP. */
@NullMarked
package dev.skep.dispatch.routes;

import org.jspecify.annotations.NullMarked;
