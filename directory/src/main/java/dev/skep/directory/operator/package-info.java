/**
 * Operators and how they sign in.
 *
 * <p>An operator is enabled or disabled; disabling ends their sessions. They sign in with a
 * password (Argon2id, hashed on separate threads) or with a one-use link, and get a session, which
 * ends when it expires, is signed out of, or its operator is disabled or gets a new password. The
 * first start creates {@code admin} and prints a link; until an operator has signed in, every start
 * prints a new one.
 */
@NullMarked
package dev.skep.directory.operator;

import org.jspecify.annotations.NullMarked;
