/**
 * What the supervisor needs to be told by features it does not know: small interfaces that the app
 * connects. A page whose source is missing says so; nothing else depends on it.
 */
@NullMarked
package dev.skep.supervisor.source;

import org.jspecify.annotations.NullMarked;
