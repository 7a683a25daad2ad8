/**
 * Hubs that a person signed in to from this machine, and their commands sent there. A profile is a
 * file that only its owner may read, in the user's configuration folder. Commands about one machine
 * are translated to what the hub knows of all of them; what has no such meaning says so.
 */
@NullMarked
package dev.skep.cli.profile;

import org.jspecify.annotations.NullMarked;
