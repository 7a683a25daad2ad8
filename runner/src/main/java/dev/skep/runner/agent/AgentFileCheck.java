package dev.skep.runner.agent;

import dev.skep.models.yaml.BindingResult;
import dev.skep.models.yaml.YamlBinder;
import dev.skep.models.yaml.YamlProblem;
import dev.skep.shell.redact.Redactor;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * What can be said of the text of an agent's file without its host, as hubs and hosts check what
 * somebody wants to write into one.
 *
 * @param username the agent whose file it is to be; null for one that is to be made
 */
public record AgentFileCheck(@Nullable String username, String text) {
    /** The longest text that may be sent to a host, in characters. */
    public static final int LONGEST = 64 << 10;

    private static final String NEW = "new.yaml";

    /** What is wrong, in the order of the file; empty if it can be written. */
    public List<YamlProblem> problems() {
        return problems(new Redactor(List.of()));
    }

    /**
     * The same where more is known to be secret.
     *
     * @param redactor takes out what must not stand in a file that is stored and shown
     */
    public List<YamlProblem> problems(Redactor redactor) {
        if (text.length() > LONGEST) {
            return List.of(
                    problem(
                            "",
                            "the file has %,d characters, at most %,d are allowed; shorten it"
                                    .formatted(text.length(), LONGEST)));
        }
        return switch (YamlBinder.parse(path(), text, AgentFile.class)) {
            case BindingResult.Problems<AgentFile>(var problems) -> problems;
            case BindingResult.Value<AgentFile>(var content) -> problems(content, redactor);
        };
    }

    private List<YamlProblem> problems(AgentFile content, Redactor redactor) {
        AgentSource source = source(content);
        List<YamlProblem> problems = new ArrayList<>();
        if (username == null && content.username() == null) {
            problems.add(problem("username", "is missing; add it, since the file is named by it"));
        }
        if (username != null
                && content.username() != null
                && !username.equals(content.username())) {
            problems.add(
                    source.problem(
                            "username",
                            "this is the file of %s; rename the agent instead"
                                    .formatted(username)));
        }
        problems.addAll(LiteralSecrets.of(source).problems());
        if (problems.isEmpty()) {
            secretLine(redactor)
                    .forEach(
                            line ->
                                    problems.add(
                                            new YamlProblem(
                                                    path(),
                                                    line + 1,
                                                    1,
                                                    "",
                                                    "holds what looks like a secret; put it into .env on the host and write ${env.NAME} here")));
        }
        return problems;
    }

    /** The first line with a secret, if one has any. */
    private IntStream secretLine(Redactor redactor) {
        String clean = redactor.redact(text);
        if (clean.equals(text)) {
            return IntStream.empty();
        }
        List<String> before = text.lines().toList();
        List<String> after = clean.lines().toList();
        int first =
                IntStream.range(0, Math.min(before.size(), after.size()))
                        .filter(line -> !before.get(line).equals(after.get(line)))
                        .findFirst()
                        .orElse(0);
        return IntStream.of(first);
    }

    private AgentSource source(AgentFile content) {
        return new AgentSource(
                String.valueOf(username), path(), Path.of(path()), null, content, text);
    }

    private String path() {
        return username == null ? NEW : username + ".yaml";
    }

    private YamlProblem problem(String key, String message) {
        return new YamlProblem(path(), 1, 1, key, message);
    }
}
