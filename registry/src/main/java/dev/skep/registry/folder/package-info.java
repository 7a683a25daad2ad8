/** Browsing the home folder, and starting agents in it: nothing outside of it is ever touched. */
@NullMarked
package dev.skep.registry.folder;

import org.jspecify.annotations.NullMarked;
