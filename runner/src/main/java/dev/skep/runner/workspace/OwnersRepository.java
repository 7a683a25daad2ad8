package dev.skep.runner.workspace;

import dev.skep.kernel.error.ErrorCode;
import dev.skep.kernel.error.SkepException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The repository that an agent's is a clone of, read by the runner's own user. Its configuration
 * may have been written by an agent that works in it, so only what git means to be safe on the
 * repository of somebody else is run there. Thread-safe.
 */
record OwnersRepository(Path repo, String path) {
    private static final Duration LIMIT = Duration.ofMinutes(10);
    private static final int LONGEST_ANSWER = 4 << 20;

    /** What came of a git command; the text is its output, or what it complained of. */
    private record Ran(boolean well, String text) {}

    /**
     * Clones it into a folder that only the runner reaches, on this branch: the repository's own of
     * that name, or a new one from its current commit. Answers the commit where the branch left.
     *
     * @throws SkepException with the reason, for people
     */
    String cloneTo(Path staging, String branch, String author) {
        if (!git(null, List.of("check-ref-format", "refs/heads/" + branch)).well()
                || branch.startsWith("-")) {
            throw refused("can have no branch '%s'; name another".formatted(branch), "");
        }
        // A transport even for a path: nothing is linked, and the serving side trusts nobody.
        need(
                "cannot be cloned",
                git(
                        null,
                        List.of(
                                "clone",
                                "-q",
                                "--no-local",
                                "--no-hardlinks",
                                "--no-checkout",
                                "--template=",
                                "--",
                                repo.toString(),
                                staging.toString())));
        Ran head = git(staging, List.of("rev-parse", "-q", "--verify", "HEAD^{commit}"));
        if (!head.well()) {
            throw refused("has no commit yet; make the first one", "");
        }
        Ran existing =
                git(
                        staging,
                        List.of("rev-parse", "-q", "--verify", "refs/remotes/origin/" + branch));
        String start = existing.well() ? existing.text() : head.text();
        Ran fork = git(staging, List.of("merge-base", head.text(), start));
        need("cannot be set up", git(staging, List.of("update-ref", "--no-deref", "HEAD", start)));
        git(staging, List.of("for-each-ref", "--format=%(refname)", "refs/heads"))
                .text()
                .lines()
                .forEach(ref -> git(staging, List.of("update-ref", "-d", ref)));
        need(
                "cannot be set up",
                git(staging, List.of("update-ref", "refs/heads/" + branch, start)));
        need(
                "cannot be set up",
                git(staging, List.of("symbolic-ref", "HEAD", "refs/heads/" + branch)));
        git(staging, List.of("config", "user.name", author.replaceFirst("@.*", "")));
        git(staging, List.of("config", "user.email", author));
        need("cannot be checked out", git(staging, List.of("reset", "-q", "--hard")));
        return fork.well() ? fork.text() : start;
    }

    /** Those of the commits that no branch or tag of it has; all if it cannot be read. */
    Set<String> lacks(List<String> commits) {
        Set<String> lacking = new HashSet<>(commits);
        String known =
                git(
                                repo,
                                List.of("cat-file", "--batch-check=%(objectname) %(objecttype)"),
                                String.join("\n", commits) + "\n")
                        .text()
                        .lines()
                        .filter(line -> line.endsWith(" commit"))
                        .map(line -> line.split(" ", 2)[0])
                        .collect(Collectors.joining("\n"));
        if (known.isEmpty()) {
            return lacking;
        }
        Ran unreachable = git(repo, List.of("rev-list", "--stdin", "--not", "--all"), known + "\n");
        if (unreachable.well()) {
            lacking.removeAll(known.lines().toList());
            lacking.addAll(unreachable.text().lines().toList());
        }
        lacking.retainAll(commits);
        return lacking;
    }

    private Ran git(@Nullable Path folder, List<String> words) {
        return git(folder, words, "");
    }

    private Ran git(@Nullable Path folder, List<String> words, String input) {
        List<String> all = new ArrayList<>(List.of("git", "--no-pager"));
        if (folder != null) {
            all.addAll(List.of("-C", folder.toString()));
        }
        for (String setting :
                List.of(
                        "core.fsmonitor=false",
                        "core.hooksPath=/dev/null",
                        "core.alternateRefsCommand=true",
                        "core.sshCommand=false")) {
            all.addAll(List.of("-c", setting));
        }
        all.addAll(words);
        ProcessBuilder builder = new ProcessBuilder(all);
        builder.redirectErrorStream(true);
        Map<String, String> environment = builder.environment();
        environment.clear();
        environment.put("PATH", path);
        environment.put("LC_ALL", "C");
        environment.put("HOME", "/");
        // The runner's user may be that of agents, who could then write to its configuration.
        environment.put("GIT_CONFIG_GLOBAL", "/dev/null");
        if (folder != null && !folder.equals(repo)) {
            // The machine's configuration may name filters, which files must not go through here.
            environment.put("GIT_CONFIG_NOSYSTEM", "1");
            environment.put("GIT_ATTR_NOSYSTEM", "1");
        }
        environment.put("GIT_NO_LAZY_FETCH", "1");
        environment.put("GIT_NO_REPLACE_OBJECTS", "1");
        environment.put("GIT_OPTIONAL_LOCKS", "0");
        environment.put("GIT_TERMINAL_PROMPT", "0");
        // Only the clone fetches anything.
        environment.put("GIT_ALLOW_PROTOCOL", folder == null ? "file" : "none");
        try {
            return ran(builder.start(), input);
        } catch (IOException e) {
            throw new SkepException(
                    ErrorCode.CONFLICT, "git cannot be started on this host; install it", e);
        }
    }

    private static Ran ran(Process process, String input) throws IOException {
        Thread watch =
                Thread.ofVirtual()
                        .start(
                                () -> {
                                    try {
                                        if (!process.waitFor(LIMIT.toSeconds(), TimeUnit.SECONDS)) {
                                            end(process);
                                        }
                                    } catch (InterruptedException over) {
                                        // it ended in time
                                    }
                                });
        Thread feed =
                Thread.ofVirtual()
                        .start(
                                () -> {
                                    try (OutputStream out = process.getOutputStream()) {
                                        out.write(input.getBytes(StandardCharsets.UTF_8));
                                    } catch (IOException ended) {
                                        // what it says tells why
                                    }
                                });
        try (InputStream in = process.getInputStream()) {
            ByteArrayOutputStream kept = new ByteArrayOutputStream();
            kept.write(in.readNBytes(LONGEST_ANSWER));
            in.transferTo(OutputStream.nullOutputStream());
            int status = process.waitFor();
            feed.join();
            return new Ran(status == 0, kept.toString(StandardCharsets.UTF_8).strip());
        } catch (InterruptedException e) {
            end(process);
            Thread.currentThread().interrupt();
            throw new SkepException(ErrorCode.CONFLICT, "the runner is closing", e);
        } finally {
            watch.interrupt();
        }
    }

    private static void end(Process process) {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
    }

    private void need(String what, Ran ran) {
        if (!ran.well()) {
            throw refused(what, ran.text());
        }
    }

    private SkepException refused(String what, String said) {
        String line =
                Arrays.stream(said.split("\n", -1))
                        .filter(each -> each.startsWith("fatal:") || each.startsWith("error:"))
                        .findFirst()
                        .orElse("");
        String hint =
                said.contains("dubious ownership")
                        ? "; another user owns it, allow it with: git config --system --add safe.directory "
                                + repo
                        : "";
        return new SkepException(
                ErrorCode.CONFLICT,
                "the repository %s %s%s%s"
                        .formatted(repo, what, line.isEmpty() ? "" : " (" + line + ")", hint));
    }
}
