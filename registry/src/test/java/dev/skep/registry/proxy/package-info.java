@NullMarked
package dev.skep.registry.proxy;

import org.jspecify.annotations.NullMarked;
