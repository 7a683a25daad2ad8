package dev.skep.runner.demo;

import dev.skep.kernel.error.ErrorCode;
import dev.skep.kernel.error.SkepException;
import dev.skep.runner.agent.NewAgent;
import dev.skep.store.file.DurableFiles;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Alice and Bob, who mail each other about the time. */
public final class FirstAgents {
    private static final List<String> FILES =
            List.of("alice.yaml", "alice.script.yaml", "bob.yaml", "bob.script.yaml");

    private FirstAgents() {}

    /** Writes them into a folder that does not exist yet; returns whether it did. */
    public static boolean writeIfNew(Path folder) {
        if (Files.exists(folder)) {
            return false;
        }
        try {
            NewAgent.writeSchema(folder);
            for (String file : FILES) {
                try (InputStream in = FirstAgents.class.getResourceAsStream(file)) {
                    if (in == null) {
                        throw new IllegalStateException("missing resource " + file);
                    }
                    DurableFiles.create(
                            folder.resolve(file), DurableFiles.Access.USUAL, in::transferTo);
                }
            }
            return true;
        } catch (IOException e) {
            throw new SkepException(
                    ErrorCode.DATA_DIR_UNUSABLE,
                    "cannot write %s; make the data folder writable".formatted(folder),
                    e);
        }
    }
}
