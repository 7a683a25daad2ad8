@NullMarked
package dev.skep.transport.loopback;

import org.jspecify.annotations.NullMarked;
