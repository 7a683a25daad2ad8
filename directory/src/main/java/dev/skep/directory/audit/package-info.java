/**
 * The audit log: who did what, to what, from where, when. An entry is written in the transaction
 * that it describes, so neither exists without the other; entries are only added and read.
 */
@NullMarked
package dev.skep.directory.audit;

import org.jspecify.annotations.NullMarked;
