package dev.skep.runner;

import dev.skep.kernel.error.ErrorCode;
import dev.skep.kernel.error.SkepException;
import dev.skep.store.file.DurableFiles;
import dev.skep.sync.sql.ForeignAgentStore.Origin;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Which files in the agents folder came from elsewhere, in a file of the data dir: the folder and
 * this outlive a database that is lost.
 */
final class ForeignAgentFiles {
    private static final String HEADER =
            "# agents' files that came from elsewhere, each with its agent and its hub; 'skep agents own NAME' takes one out";

    private final Path file;

    ForeignAgentFiles(Path dataDir) {
        this.file = dataDir.resolve("foreign-agents");
    }

    List<Origin> read() {
        if (!Files.exists(file)) {
            return List.of();
        }
        List<Origin> origins = new ArrayList<>();
        try {
            for (String line : Files.readAllLines(file)) {
                String[] words = line.split("\t", -1);
                if (words.length == 3) {
                    origins.add(new Origin(words[1], words[2], words[0]));
                } else if (!line.isBlank() && !line.startsWith("#")) {
                    throw new IOException("a line of it has not three parts");
                }
            }
        } catch (IOException e) {
            throw new SkepException(
                    ErrorCode.DATA_DIR_UNUSABLE,
                    "cannot read %s, which names agents that came from elsewhere (%s); restore it from a backup"
                            .formatted(file, e.getMessage()),
                    e);
        }
        return origins;
    }

    void write(List<Origin> origins) throws IOException {
        if (origins.isEmpty() && !Files.exists(file)) {
            return;
        }
        StringBuilder text = new StringBuilder(HEADER).append('\n');
        for (Origin origin : origins) {
            text.append("%s\t%s\t%s\n".formatted(origin.path(), origin.agent(), origin.hub()));
        }
        DurableFiles.replace(file, DurableFiles.Access.USUAL, text.toString());
    }
}
