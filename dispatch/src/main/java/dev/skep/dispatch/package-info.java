/** Hosts, servers and jobs of an org: who is there, what is to be done, and who is told. */
@NullMarked
package dev.skep.dispatch;

import org.jspecify.annotations.NullMarked;
