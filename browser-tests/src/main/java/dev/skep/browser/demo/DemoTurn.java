package dev.skep.browser.demo;

import dev.skep.agents.session.LogEntry;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What an agent of the made-up fleet says and does in one turn. */
public final class DemoTurn {
    private DemoTurn() {}

    /** One line of it. */
    public record Said(
            LogEntry.Role role,
            LogEntry.Source source,
            LogEntry.Type type,
            String text,
            @Nullable String detail) {
        public Said(LogEntry.Role role, LogEntry.Source source, LogEntry.Type type, String text) {
            this(role, source, type, text, null);
        }
    }

    private static final List<String> THOUGHTS =
            List.of(
                    "The nightly build failed in the packaging step. I will look at the log before I change anything.",
                    "Three of the five hosts answer. I ask hana about the other two and go on with the rest.",
                    "The index is older than the data. Rebuilding it takes about four minutes.",
                    "All tests pass. I will tell ada and wait for the next request.",
                    "The disk is 96 % full. Old build folders can go; they are in git.");

    private static final List<String> COMMANDS =
            List.of(
                    "git log --oneline -5",
                    "df -h / | tail -1",
                    "curl -s http://127.0.0.1:9200/_cat/indices",
                    "mvn -q verify -pl store",
                    "mail send hana \"Two hosts are silent\" \"build-ams-066 and edge-ams-227, since 13:43.\"");

    private static final List<String> OUTPUTS =
            List.of(
                    "91fe02c packaging: keep the licence files\n3c11a0d tests: a host that dies while it is pulled\nb7720f1 docs: figures of this week",
                    "/dev/vda1        78G   71G  3.1G  96% /",
                    "yellow open pages 6kq 1 1 48211933 120931 81.2gb",
                    "Tests run: 118, Failures: 0, Errors: 0, Skipped: 0",
                    "sent to hana");

    public static List<Said> of(int agent, int turn) {
        int n = (agent * 3 + turn) % THOUGHTS.size();
        Said prompt =
                new Said(
                        LogEntry.Role.USER,
                        LogEntry.Source.RUNNER,
                        LogEntry.Type.PROMPT,
                        "turn %d · %d k of 200 k tokens".formatted(turn + 1, 12 + turn));
        Said reply =
                new Said(
                        LogEntry.Role.ASSISTANT,
                        LogEntry.Source.MODEL,
                        LogEntry.Type.REPLY,
                        THOUGHTS.get(n));
        Said command =
                new Said(
                        LogEntry.Role.ASSISTANT,
                        LogEntry.Source.MODEL,
                        LogEntry.Type.COMMAND,
                        COMMANDS.get(n));
        Said output =
                turn % 13 == 12
                        ? new Said(
                                LogEntry.Role.USER,
                                LogEntry.Source.SHELL,
                                LogEntry.Type.ERROR,
                                "no space left on device (exit status 1)")
                        : new Said(
                                LogEntry.Role.USER,
                                LogEntry.Source.SHELL,
                                LogEntry.Type.OUTPUT,
                                OUTPUTS.get(n));
        return List.of(prompt, reply, command, output);
    }
}
