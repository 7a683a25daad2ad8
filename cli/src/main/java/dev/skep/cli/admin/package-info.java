/**
 * How a command reaches the state of a data dir. A running process writes where it listens and a
 * secret of this start into a file that only its owner may read; the command shows the secret over
 * loopback. Where no process runs, the command opens the database itself and asks the same routes.
 */
@NullMarked
package dev.skep.cli.admin;

import org.jspecify.annotations.NullMarked;
