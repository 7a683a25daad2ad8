@NullMarked
package dev.skep.sync.hub;

import org.jspecify.annotations.NullMarked;
