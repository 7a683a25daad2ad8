/**
 * The few lines of JDBC both engines share: binding, reading, statement reuse, error translation.
 */
@NullMarked
package dev.skep.store.jdbc;

import org.jspecify.annotations.NullMarked;
