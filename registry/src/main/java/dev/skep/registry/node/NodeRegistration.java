package dev.skep.registry.node;

import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** What a node reports about itself; contains only values that can be stored and shown. */
public record NodeRegistration(
        String id, String machine, String cwd, int port, @Nullable Long pid) {
    private static final int LONGEST_NAME = 512;
    private static final int LONGEST_PATH = 4_096;
    private static final int MAX_PORT = 65_535;

    public NodeRegistration {
        boolean fits =
                !id.isEmpty()
                        && isText(id, LONGEST_NAME)
                        && isText(machine, LONGEST_NAME)
                        && isText(cwd, LONGEST_PATH)
                        && port >= 0
                        && port <= MAX_PORT
                        && (pid == null || pid >= 0);
        if (!fits) {
            throw new IllegalArgumentException("not a registration");
        }
    }

    /** Databases keep neither NUL nor halves of characters. */
    private static boolean isText(String text, int longest) {
        return text.length() <= longest
                && text.indexOf('\0') < 0
                && StandardCharsets.UTF_8.newEncoder().canEncode(text);
    }
}
