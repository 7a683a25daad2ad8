@NullMarked
package dev.skep.simulation.money;

import org.jspecify.annotations.NullMarked;
