/**
 * A model that follows a YAML script instead of thinking, so that tests and the demonstration need
 * neither key nor chance.
 *
 * <p>A script is a list of steps; the reply is the first step whose conditions all hold for what
 * the model is shown. Nothing is remembered between two replies but how often a step has already
 * failed on purpose: what a condition looks at is in the conversation, so a session goes on after a
 * restart as if there had been none.
 */
@NullMarked
package dev.skep.models.scripted;

import org.jspecify.annotations.NullMarked;
