/** What people ask sync over HTTP: how far it is, what is wrong, who takes over whom. */
@NullMarked
package dev.skep.sync.routes;

import org.jspecify.annotations.NullMarked;
