/**
 * A data dir as one file and back: its databases, agents, settings and keys. A backup is made while
 * the process runs; a restore is built beside the data dir and replaces it as a whole.
 */
@NullMarked
package dev.skep.app.backup;

import org.jspecify.annotations.NullMarked;
