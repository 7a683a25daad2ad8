/**
 * What there is more than one way to know or to do, as interfaces: a hub sees more of its hosts
 * than a runner does of others, and whoever only reads a database sees less than its process. A
 * page whose source is missing says so; nothing else depends on it. What stands in tables is read
 * by {@code dev.skep.supervisor.view}.
 */
@NullMarked
package dev.skep.supervisor.source;

import org.jspecify.annotations.NullMarked;
