/** Mail as agents are told of it. */
@NullMarked
package dev.skep.runner.mail;

import org.jspecify.annotations.NullMarked;
