@NullMarked
package dev.skep.transport.socket;

import org.jspecify.annotations.NullMarked;
