@NullMarked
package dev.skep.registry.node;

import org.jspecify.annotations.NullMarked;
