package dev.skep.runner.agent;

import dev.skep.kernel.error.ErrorCode;
import dev.skep.kernel.error.SkepException;
import dev.skep.models.yaml.BindingResult;
import dev.skep.models.yaml.YamlBinder;
import dev.skep.store.file.DurableFiles;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Another name for an agent, written into its file; the rest of the file stays as it is. */
public record AgentRename(String username) {
    private static final Pattern KEY = Pattern.compile("(?m)^username:.*$");
    private static final Pattern BEGIN = Pattern.compile("(?m)\\A(---.*\\R)?");

    /** Writes it; returns what is wrong with the name, if anything is. */
    public Optional<String> writeInto(AgentSource source) {
        String line = "username: " + username;
        Matcher key = KEY.matcher(source.text());
        String text =
                key.find()
                        ? key.replaceFirst(Matcher.quoteReplacement(line))
                        : BEGIN.matcher(source.text())
                                .replaceFirst("$0" + Matcher.quoteReplacement(line) + "\n");
        if (YamlBinder.parse(source.path(), text, AgentFile.class)
                instanceof BindingResult.Problems<AgentFile>(var problems)) {
            return Optional.of(problems.getFirst().message());
        }
        replace(source.file(), text);
        return Optional.empty();
    }

    /** Atomically: a reader of the file sees a whole one. */
    private static void replace(Path file, String text) {
        try {
            DurableFiles.replace(file, DurableFiles.Access.USUAL, text);
        } catch (IOException e) {
            throw new SkepException(
                    ErrorCode.DATA_DIR_UNUSABLE,
                    "cannot write %s; make its folder writable".formatted(file),
                    e);
        }
    }
}
