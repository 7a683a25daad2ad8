/**
 * Programs of other makers that agents think with: what is known of each, and how one is started.
 *
 * <p>A definition comes from the shipped table or from {@code runtimes.yaml} of the data dir, where
 * a name in both is the user's. A start looks the program up, writes its files into the agent's own
 * home for it, below {@code work/.runtimes}, and starts it behind the wall that the agent's shell
 * has. It either runs or was refused with one line that says what to do; what ends it afterwards is
 * known from its status and from what it printed on standard error. Nothing of it outlives its
 * {@link RuntimeProcess}, or this process.
 */
@NullMarked
package dev.skep.runner.runtime;

import org.jspecify.annotations.NullMarked;
