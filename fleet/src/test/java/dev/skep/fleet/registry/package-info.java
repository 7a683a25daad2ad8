@NullMarked
package dev.skep.fleet.registry;

import org.jspecify.annotations.NullMarked;
