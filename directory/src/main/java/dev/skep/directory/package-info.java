/** Who is who: orgs, hosts, operators, their keys, and the audit of what they did. */
@NullMarked
package dev.skep.directory;

import org.jspecify.annotations.NullMarked;
