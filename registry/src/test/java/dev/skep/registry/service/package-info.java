/** How the registry tells its news. */
@NullMarked
package dev.skep.registry.service;

import org.jspecify.annotations.NullMarked;
