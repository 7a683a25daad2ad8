package dev.skep.runner.agent;

import dev.skep.kernel.error.ErrorCode;
import dev.skep.kernel.error.SkepException;
import dev.skep.models.yaml.BindingResult;
import dev.skep.models.yaml.JsonSchema;
import dev.skep.models.yaml.YamlBinder;
import dev.skep.store.file.DurableFiles;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * A new agent: a file with the usual keys, ready to be edited.
 *
 * @param model null if its runtime chooses one
 * @param lead the agent it is to work for, or null
 */
public record NewAgent(
        String username,
        @Nullable String title,
        @Nullable String prompt,
        String runtime,
        @Nullable String model,
        @Nullable String lead) {
    public static final String SCHEMA = "agent.schema.json";

    /** One that our own loop runs. */
    public NewAgent(
            String username,
            @Nullable String title,
            @Nullable String prompt,
            String model,
            @Nullable String lead) {
        this(username, title, prompt, AgentFile.OWN_LOOP, model, lead);
    }

    /** What came of it. */
    public sealed interface CreationResult {}

    public record Written(Path file) implements CreationResult {}

    public record Refused(String why) implements CreationResult {}

    /** Writes the file; an existing one is never touched. */
    public CreationResult writeInto(AgentFolder folder) {
        return writeInto(folder, (_, _) -> {});
    }

    /**
     * The same.
     *
     * @param announced hears the file and its text before it is written
     */
    public CreationResult writeInto(AgentFolder folder, BiConsumer<Path, String> announced) {
        Path directory = folder.root();
        if (lead != null) {
            Optional<AgentSource> above =
                    folder.read().agents().stream()
                            .filter(source -> source.username().equals(lead))
                            .findFirst();
            if (above.isEmpty()) {
                return new Refused("there is no agent '%s' to lead it".formatted(lead));
            }
            String path = above.get().file().toString();
            directory = Path.of(path.substring(0, path.lastIndexOf('.')));
        }
        Path file = directory.resolve(username + ".yaml");
        String text = yaml(directory.relativize(folder.root()).resolve(SCHEMA).toString());
        if (YamlBinder.parse(file.toString(), text, AgentFile.class)
                instanceof BindingResult.Problems<AgentFile>(var problems)) {
            return new Refused(problems.getFirst().message());
        }
        try {
            DurableFiles.createFolders(directory);
            writeSchema(folder.root());
            announced.accept(file, text);
            DurableFiles.create(file, DurableFiles.Access.USUAL, text);
            return new Written(file);
        } catch (FileAlreadyExistsException e) {
            return new Refused(
                    "%s is there already; edit it or choose another name".formatted(file));
        } catch (IOException e) {
            throw new SkepException(
                    ErrorCode.DATA_DIR_UNUSABLE,
                    "cannot write %s; make its folder writable".formatted(file),
                    e);
        }
    }

    /** Writes the JSON schema to where the files' first line expects it. */
    public static void writeSchema(Path root) throws IOException {
        DurableFiles.createFolders(root);
        DurableFiles.replace(
                root.resolve(SCHEMA),
                DurableFiles.Access.USUAL,
                JsonSchema.of(AgentFile.class, "Skep agent"));
    }

    private String yaml(String schema) {
        String instructions =
                prompt == null
                        ? "You are ${agent.username}, ${agent.title}. Read your mail and do what it asks."
                        : prompt;
        return """
        # yaml-language-server: $schema=%s
        username: %s
        title: %s
        prompt: |
        %s
        %s# spend_limit: 1.00
        # protection: manual
        """
                .formatted(
                        schema,
                        quoted(username),
                        quoted(title == null ? "an agent" : title),
                        instructions.strip().indent(2).stripTrailing(),
                        thinking());
    }

    private String thinking() {
        String other =
                runtime.equals(AgentFile.OWN_LOOP) ? "" : "runtime: " + quoted(runtime) + "\n";
        return model == null ? other : other + "model: " + quoted(model) + "\n";
    }

    private static String quoted(String text) {
        return text.matches("[A-Za-z0-9][A-Za-z0-9 ._/-]*")
                        && !text.matches("[0-9.]+|true|false|null|yes|no")
                ? text
                : '"' + text.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", " ") + '"';
    }
}
