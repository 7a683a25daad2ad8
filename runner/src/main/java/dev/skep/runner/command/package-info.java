/**
 * The commands the runner itself understands, beside the shell's: mail, session, agent, shell,
 * cost, edit, tool, help.
 *
 * <p>A command answers with text, and may ask the loop for something it cannot do itself: to wait,
 * to compact the context, to end the session ({@link dev.skep.runner.command.LoopEffect}).
 */
@NullMarked
package dev.skep.runner.command;

import org.jspecify.annotations.NullMarked;
