/**
 * Agents whose runtime is another program: its process, its turns, its log and its restarts.
 *
 * <pre>
 * Ready ──▶ Turning ──▶ Ready ──▶ Waiting ──▶ Ready      (mail, a person, a task)
 *   ▲          │ │ │      └─────▶ Ended                  (session complete, a task's answer)
 *   │          │ │ └──▶ OverBudget ──▶ Ready             (the gateway refused, a limit of turns)
 *   │          │ └──▶ BackingOff ──▶ Turning             (the process failed, up to three times)
 *   └── Held ◀─┴──────────────────                       (paused, cancelled, failed)
 * </pre>
 *
 * <p>The process is there only when it is needed: it starts with a turn, and ends after some time
 * without one if its session can be loaded again. What is stored is what counts: a prompt is stored
 * before it is sent and its end when the turn is over, so a prompt without an end was cut, and a
 * tool without a result is unknown. After a restart both are said, to people and to the agent.
 */
@NullMarked
package dev.skep.runner.managed;

import org.jspecify.annotations.NullMarked;
