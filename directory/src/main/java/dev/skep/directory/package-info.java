/** Orgs, hosts, operators, their keys, and the audit log of what they did. */
@NullMarked
package dev.skep.directory;

import org.jspecify.annotations.NullMarked;
