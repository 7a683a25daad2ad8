/**
 * A data dir as one file and back: its databases, agents, settings and keys. A backup is taken
 * while the process works; a restore is made beside the data dir and takes its place as a whole.
 */
@NullMarked
package dev.skep.app.backup;

import org.jspecify.annotations.NullMarked;
