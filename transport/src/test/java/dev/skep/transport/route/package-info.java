@NullMarked
package dev.skep.transport.route;

import org.jspecify.annotations.NullMarked;
