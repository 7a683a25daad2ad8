/**
 * How a command reaches the state of a data dir. A running process writes its address and a secret
 * of this start into a file that only its owner may read; the command sends the secret over
 * loopback. If no process runs, the command opens the database itself and calls the same routes.
 */
@NullMarked
package dev.skep.cli.admin;

import org.jspecify.annotations.NullMarked;
