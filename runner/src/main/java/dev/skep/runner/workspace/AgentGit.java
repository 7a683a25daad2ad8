package dev.skep.runner.workspace;

import dev.skep.kernel.error.ErrorCode;
import dev.skep.kernel.error.SkepException;
import dev.skep.shell.Shell;
import dev.skep.shell.ShellOutcome;
import dev.skep.shell.ShellSettings;
import dev.skep.shell.Shells;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Semaphore;

/** Runs git in agents' folders as the agent and behind its wall. Thread-safe. */
final class AgentGit {
    private static final Duration LIMIT = Duration.ofMinutes(2);
    private static final int AT_ONCE = 2;
    private static final String SCRIPT = script();

    private final Shells shells;
    private final List<Path> hidden;
    private final Semaphore room = new Semaphore(AT_ONCE);

    /**
     * Runs nothing yet.
     *
     * @param hidden what agents must not be able to read where the OS allows
     */
    AgentGit(Shells shells, List<Path> hidden) {
        this.shells = shells;
        this.hidden = List.copyOf(hidden);
    }

    /** What can be asked about a repository. */
    enum Question {
        CHANGES,
        PATCH,
        WORK
    }

    /**
     * The sections of the answer by name, each as far as the limit goes; a {@code problem} says why
     * there is none.
     *
     * @param folder in the repository; below the agent's own folder, or the one it starts in
     * @param base the commit to compare with; empty for the newest
     * @param limit bytes of a section
     */
    Map<String, byte[]> ask(
            WorkspacePlace place, Path folder, Question question, String base, int limit)
            throws InterruptedException {
        String text =
                run(
                        place,
                        folder,
                        "( eval \"$SKEP_ASKED\" )",
                        Map.of(
                                "SKEP_ASKED",
                                SCRIPT,
                                "SKEP_ASK",
                                question.name().toLowerCase(Locale.ROOT),
                                "SKEP_BASE",
                                base,
                                "SKEP_LIMIT",
                                "" + limit),
                        // Base64 in lines, a few sections, and what is printed around them.
                        4 * limit + 100_000);
        Map<String, byte[]> sections = new HashMap<>();
        for (String each : text.split("(?m)^-- ", -1)) {
            int lineEnd = each.indexOf('\n');
            if (lineEnd > 0) {
                sections.put(each.substring(0, lineEnd).strip(), decoded(each.substring(lineEnd)));
            }
        }
        if (!sections.containsKey("end") && !sections.containsKey("problem")) {
            sections.put("problem", "git did not finish".getBytes(StandardCharsets.UTF_8));
        }
        return sections;
    }

    private static byte[] decoded(String base64) {
        try {
            return Base64.getMimeDecoder().decode(base64);
        } catch (IllegalArgumentException cut) {
            return new byte[0];
        }
    }

    /** Makes the agent's own folder, and gives it to the agent's user where agents have one. */
    void giveOwnFolder(WorkspacePlace place) {
        shells.open(settings(place, place.own(), Map.of(), 200)).close();
    }

    private String run(
            WorkspacePlace place,
            Path folder,
            String command,
            Map<String, String> variables,
            int chars)
            throws InterruptedException {
        room.acquire();
        try (Shell shell = shells.open(settings(place, folder, variables, chars))) {
            return switch (shell.run(command, LIMIT)) {
                case ShellOutcome.Finished(_, var output, _) ->
                        output.omittedChars() > 0 ? "" : output.text();
                case ShellOutcome.StillRunning _ ->
                        throw new SkepException(
                                ErrorCode.CONFLICT,
                                "git took more than %d s in %s"
                                        .formatted(LIMIT.toSeconds(), folder));
                case ShellOutcome.Ended(var reason, _) ->
                        throw new SkepException(ErrorCode.CONFLICT, reason);
            };
        } finally {
            room.release();
        }
    }

    private ShellSettings settings(
            WorkspacePlace place, Path folder, Map<String, String> variables, int chars) {
        return new ShellSettings(
                place.agent().username(), place.own(), folder, variables, hidden, chars);
    }

    private static String script() {
        try (InputStream in = AgentGit.class.getResourceAsStream("workspace.sh")) {
            if (in == null) {
                throw new SkepException(
                        ErrorCode.INTERNAL, "workspace.sh is missing from the program");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
