/**
 * A model that follows a YAML script, so that tests and the demo need neither a key nor chance.
 *
 * <p>A script is a list of steps; the reply is the first step whose conditions all hold for what
 * the model is shown. Between two replies the model remembers only how often a step has already
 * failed on purpose. Conditions read the conversation, so a session continues after a restart as if
 * there had been none.
 */
@NullMarked
package dev.skep.models.scripted;

import org.jspecify.annotations.NullMarked;
