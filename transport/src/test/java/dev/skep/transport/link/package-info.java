@NullMarked
package dev.skep.transport.link;

import org.jspecify.annotations.NullMarked;
