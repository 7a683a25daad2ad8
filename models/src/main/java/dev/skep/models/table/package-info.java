/** The models agents may name: the shipped table, the user's additions, and how each is opened. */
@NullMarked
package dev.skep.models.table;

import org.jspecify.annotations.NullMarked;
