package dev.skep.shell;

import dev.skep.kernel.process.ProcessSession;
import java.util.ArrayList;
import java.util.List;

/**
 * How far agents' shells, jobs and servers are kept from the runner's files and processes on this
 * machine.
 */
public sealed interface Isolation {

    /** One line for people: what the shell is kept from, and what it is not. */
    String describe();

    /** The same about jobs and servers. */
    String describeJobs();

    /** Whether the shell has process and mount namespaces of its own. */
    boolean walled();

    /** What to run the guard with. */
    List<String> enter();

    /** What the guard runs the shell with. */
    List<String> drop();

    /** What the guard of a job or a server runs its command with. */
    default List<String> dropForJobs() {
        return drop();
    }

    /**
     * A user of its own, in a group with the other agents; the runner is root.
     *
     * @param walled false where root may not make namespaces, as in most containers
     */
    record OwnUser(int uid, boolean walled) implements Isolation {
        @Override
        public String describe() {
            return walled
                    ? "each agent's shell runs as a user and in namespaces of its own: it sees neither the runner's files and processes nor those of other agents"
                    : "each agent's shell runs as a user of its own: it cannot read what only the runner or another agent may, but sees their processes (this system lets root make no namespaces)";
        }

        @Override
        public List<String> enter() {
            return walled ? namespaces(List.of("--ipc")) : ProcessSession.words();
        }

        @Override
        public String describeJobs() {
            return walled
                    ? "jobs and servers run as a user of their own and each in namespaces of its own: they see neither the data folder nor processes of the runner or of agents"
                    : "jobs and servers run as a user of their own: they cannot read what only the runner or an agent may, but see their processes (this system lets root make no namespaces)";
        }

        @Override
        public List<String> drop() {
            return drop(List.of("--groups", "" + AgentUsers.GROUP));
        }

        /** What agents share is not for jobs. */
        @Override
        public List<String> dropForJobs() {
            return drop(List.of("--clear-groups"));
        }

        private List<String> drop(List<String> groups) {
            var words = new ArrayList<>(List.of("setpriv", "--reuid", "" + uid, "--regid"));
            words.add("" + uid);
            words.addAll(groups);
            words.addAll(List.of("--inh-caps=-all", "--bounding-set=-all"));
            words.addAll(List.of("--no-new-privs", "--"));
            return List.copyOf(words);
        }
    }

    /**
     * The runner's own user, but in user, process and mount namespaces without the hidden paths.
     */
    record Namespaces() implements Isolation {
        @Override
        public String describe() {
            return "each agent's shell runs as the runner's user in namespaces of its own: it sees neither the data folder nor other processes";
        }

        @Override
        public String describeJobs() {
            return "jobs and servers run as the runner's user, each in namespaces of its own: they see neither the data folder nor other processes";
        }

        @Override
        public boolean walled() {
            return true;
        }

        @Override
        public List<String> enter() {
            return namespaces(List.of("--user", "--map-current-user", "--keep-caps"));
        }

        @Override
        public List<String> drop() {
            return List.of(
                    "setpriv",
                    "--ambient-caps=-all",
                    "--inh-caps=-all",
                    "--bounding-set=-all",
                    "--no-new-privs",
                    "--");
        }
    }

    /** The runner's own user and nothing between: a non-promise that {@code doctor} shows. */
    record None(String reason) implements Isolation {
        @Override
        public String describe() {
            return "not isolated: agents' shells can read every file the runner's user can, its keys and environment included ("
                    + reason
                    + ")";
        }

        @Override
        public String describeJobs() {
            return "not isolated: jobs and servers can read every file the runner's user can, its keys and environment included ("
                    + reason
                    + ")";
        }

        @Override
        public boolean walled() {
            return false;
        }

        @Override
        public List<String> enter() {
            return ShellTools.LINUX ? ProcessSession.words() : List.of();
        }

        @Override
        public List<String> drop() {
            return List.of();
        }
    }

    private static List<String> namespaces(List<String> further) {
        var words = new ArrayList<>(ProcessSession.words());
        words.addAll(List.of("unshare", "--mount", "--pid", "--fork"));
        words.addAll(List.of("--kill-child=KILL", "--mount-proc"));
        words.addAll(further);
        words.add("--");
        return List.copyOf(words);
    }
}
