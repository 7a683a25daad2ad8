/**
 * The loop of one agent: prompt, model, commands, output, log, and again.
 *
 * <pre>
 * Prompting ──▶ Asking ──▶ Acting ──▶ Prompting
 *    ▲           │ │ │       │ ├──▶ Waiting ──────▶ Prompting   (mail, a person, the time)
 *    │           │ │ │       │ ├──▶ Compacting ───▶ Prompting   (context full, or asked for)
 *    │           │ │ │       │ └──▶ Ended                       (session complete)
 *    │           │ │ └──▶ OverBudget ──▶ Asking                 (limit reached)
 *    │           │ └──▶ BackingOff ──▶ Asking                   (provider failed, will retry)
 *    └── Held ◀──┴──────────────────────────────                (paused, cancelled, in circles, stuck)
 * </pre>
 *
 * <p>The conversation a model sees is a fold over the session's log, live as after a restart, so
 * what is stored is what counts: a reply is stored with its cost and commands in one transaction
 * before the first of them runs, and each output before the next one does. After a crash the agent
 * is told that a command without an output may or may not have run.
 */
@NullMarked
package dev.skep.runner.loop;

import org.jspecify.annotations.NullMarked;
