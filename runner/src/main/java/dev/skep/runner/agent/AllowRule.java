package dev.skep.runner.agent;

import dev.skep.kernel.error.ErrorCode;
import dev.skep.kernel.error.SkepException;
import dev.skep.models.yaml.BindingResult;
import dev.skep.models.yaml.YamlBinder;
import dev.skep.models.yaml.YamlListText;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * One command that an agent's file allows from now on, written into its {@code allow} list; the
 * rest of the file stays as it is, byte for byte.
 *
 * @param command the whole command, or the path of an edit, and nothing like it
 */
public record AllowRule(String command) {
    private static final int LONGEST = 4_000;

    /** Why it cannot be a rule; empty if it can. */
    public Optional<String> problem() {
        if (command.contains("*")) {
            return Optional.of(
                    "'*' means anything in an allow list, so this one cannot be allowed always; approve it once");
        }
        if (command.isBlank() || command.length() > LONGEST) {
            return Optional.of(
                    "only what has 1 to %d characters can be allowed always; approve it once"
                            .formatted(LONGEST));
        }
        return Optional.empty();
    }

    /**
     * Writes it, on the disk when this returns; returns why it cannot, if it cannot. What the file
     * allows already is not written again.
     *
     * @param file the agent's file, read anew: a person may have changed it since
     */
    public Optional<String> writeInto(Path file) {
        return writeInto(file, _ -> {});
    }

    /**
     * The same.
     *
     * @param announced hears the new text before it is written
     */
    public Optional<String> writeInto(Path file, Consumer<String> announced) {
        Optional<String> problem = problem();
        if (problem.isPresent()) {
            return problem;
        }
        String text = text(file);
        if (!(YamlBinder.parse("agent", text, AgentFile.class)
                instanceof BindingResult.Value<AgentFile>(var before))) {
            return Optional.of(
                    "%s cannot be used as it is; 'skep agents check' says why"
                            .formatted(file.getFileName()));
        }
        if (before.allow().contains(command.strip())) {
            return Optional.empty();
        }
        Optional<String> changed = new YamlListText(text, "allow").with(command.strip());
        if (changed.isEmpty()) {
            return Optional.of(
                    "cannot add to the allow list of %s without changing more of it; add it there by hand"
                            .formatted(file.getFileName()));
        }
        announced.accept(changed.get());
        AgentFileText.replace(file, changed.get());
        return Optional.empty();
    }

    private static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new SkepException(
                    ErrorCode.DATA_DIR_UNUSABLE,
                    "cannot read %s; make it readable".formatted(file),
                    e);
        }
    }
}
