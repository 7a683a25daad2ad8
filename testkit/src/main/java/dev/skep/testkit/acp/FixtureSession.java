package dev.skep.testkit.acp;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A session of the fixture; what was said in it is in a file of its home, a JSON object a line. */
final class FixtureSession {
    final String id;
    final Path folder;
    final List<Object> servers;
    private final Path file;

    /** Set while a turn runs. */
    volatile @Nullable FixtureTurn turn;

    FixtureSession(String id, String folder, List<Object> servers) {
        this.id = id;
        this.folder = Path.of(folder);
        this.servers = servers;
        this.file = file(id);
    }

    static boolean exists(String id) {
        return Files.exists(file(id));
    }

    private static Path file(String id) {
        String home = System.getenv("HOME");
        return Path.of(home == null ? "." : home, ".fixture-agent", id + ".jsonl");
    }

    /** Who is user or agent. */
    synchronized void remember(String who, String text) {
        try {
            Files.createDirectories(file.toAbsolutePath().getParent());
            Files.writeString(
                    file,
                    FixtureJson.write(FixtureJson.of("who", who, "text", text)) + "\n",
                    StandardOpenOption.CREATE,
                    StandardOpenOption.APPEND);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    List<Map<String, Object>> history() {
        if (!Files.exists(file)) {
            return List.of();
        }
        try {
            return Files.readAllLines(file).stream()
                    .map(line -> FixtureJson.object(FixtureJson.read(line)))
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** All that was said, in pieces that no turn ever sent. */
    void replay(FixturePeer peer) {
        for (Map<String, Object> line : history()) {
            String text = FixtureJson.text(line, "text");
            String kind =
                    FixtureJson.text(line, "who").equals("user")
                            ? "user_message_chunk"
                            : "agent_message_chunk";
            for (int from = 0; from < text.length(); from += 7) {
                String piece = text.substring(from, Math.min(text.length(), from + 7));
                peer.update(id, FixtureTurn.chunk(kind, piece));
            }
        }
    }
}
