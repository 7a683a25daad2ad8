/**
 * What was done: who, what, on what, from where, when. An entry is written in the transaction it
 * describes, so neither is there without the other; entries are only ever added and read.
 */
@NullMarked
package dev.skep.directory.audit;

import org.jspecify.annotations.NullMarked;
