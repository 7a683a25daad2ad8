/**
 * What all features share: the host of a process with its database, and the shape of a module.
 * Here, since every feature may use the directory and none may use another feature.
 */
@NullMarked
package dev.skep.directory.module;

import org.jspecify.annotations.NullMarked;
