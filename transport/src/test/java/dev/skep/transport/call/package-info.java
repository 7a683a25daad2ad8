@NullMarked
package dev.skep.transport.call;

import org.jspecify.annotations.NullMarked;
