/** Browses the home folder and starts agents in it; nothing outside of it is touched. */
@NullMarked
package dev.skep.registry.folder;

import org.jspecify.annotations.NullMarked;
