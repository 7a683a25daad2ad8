package dev.skep.runner.agent;

import dev.skep.models.yaml.BindingResult;
import dev.skep.models.yaml.YamlBinder;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Another name for an agent, written into its file; the rest of the file stays as it is. */
public record AgentRename(String username) {
    private static final Pattern KEY = Pattern.compile("(?m)^username:.*$");
    private static final Pattern BEGIN = Pattern.compile("(?m)\\A(---.*\\R)?");

    /** Writes it; returns what is wrong with the name, if anything is. */
    public Optional<String> writeInto(AgentSource source) {
        return writeInto(source, _ -> {});
    }

    /**
     * The same.
     *
     * @param announced hears the new text before it is written
     */
    public Optional<String> writeInto(AgentSource source, Consumer<String> announced) {
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
        announced.accept(text);
        AgentFileText.replace(source.file(), text);
        return Optional.empty();
    }
}
