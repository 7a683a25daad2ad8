/**
 * The repositories that agents work in, and the disk they take.
 *
 * <p>A workspace is <em>missing</em>, then <em>made</em>: a clone of the owner's repository in the
 * agent's own folder, on a branch of its own, with the commit that it started from in the table
 * {@code workspaces}. It stays until it is removed, which is refused while it has work that the
 * owner's repository does not have.
 *
 * <p>Whoever may write to a repository can make git run programs: by its configuration, hooks,
 * filters, and drivers for diffs. The runner's user therefore never runs git in an agent's folder.
 * What is asked about one is asked behind the agent's own wall, as the agent's user, and besides
 * that by a git with a configuration, an index and attributes of its own that has only the objects
 * in common with the agent's, so that the agent cannot make the answer a lie either. In the owner's
 * repository the runner's user runs what git means to be safe on repositories of others: the
 * serving side of a fetch, and questions about commits.
 */
@NullMarked
package dev.skep.runner.workspace;

import org.jspecify.annotations.NullMarked;
