@NullMarked
package dev.skep.transport.http;

import org.jspecify.annotations.NullMarked;
