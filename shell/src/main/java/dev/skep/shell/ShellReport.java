package dev.skep.shell;

import java.util.ArrayList;
import java.util.List;

/** What the guard and the shell report to the runner, in the order it happened. */
sealed interface ShellReport {
    /** The guard waits for the runner to open its end of the pipes. */
    record Opened() implements ShellReport {}

    /** The guard could not set the shell up. */
    record Failed(String message) implements ShellReport {}

    /** A bash runs; the pid is the one of its own process namespace. */
    record ShellStarted(long pid) implements ShellReport {}

    record ShellEnded(int status) implements ShellReport {}

    /**
     * A command is over.
     *
     * @param jobs the background jobs that go on
     */
    record CommandEnded(long number, int status, List<Long> jobs, String cwd)
            implements ShellReport {}

    /** The guard itself is gone, and all it watched over. */
    record Gone() implements ShellReport {}

    static ShellReport parse(String text) {
        String[] words = text.split(" ", 2);
        String rest = words.length == 2 ? words[1] : "";
        return switch (words[0]) {
            case "opened" -> new Opened();
            case "shell" -> new ShellStarted(Long.parseLong(rest));
            case "ended" -> new ShellEnded(Integer.parseInt(rest));
            case "done" -> commandEnded(rest);
            default -> new Failed(rest.strip().replaceAll("\\s*\\n\\s*", "; "));
        };
    }

    /** {@code NUMBER STATUS}, a line per job, then the folder, which may hold anything. */
    private static CommandEnded commandEnded(String text) {
        int folder = text.indexOf("\n/");
        String[] lines = text.substring(0, folder).split("\n", -1);
        String[] first = lines[0].split(" ", -1);
        var jobs = new ArrayList<Long>();
        for (int i = 1; i < lines.length; i++) {
            jobs.add(Long.parseLong(lines[i]));
        }
        return new CommandEnded(
                Long.parseLong(first[0]),
                Integer.parseInt(first[1]),
                List.copyOf(jobs),
                text.substring(folder + 1));
    }
}
