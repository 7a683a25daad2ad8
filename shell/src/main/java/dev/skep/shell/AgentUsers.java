package dev.skep.shell;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * Which system user each agent's shell runs as. The owner of an agent's own folder is the record,
 * so it lasts as long as the files it protects. Thread-safe.
 */
final class AgentUsers {
    /** 60578 to 61183 are handed out by no distribution and not by systemd. */
    static final int FIRST = 60_700;

    static final int LAST = 61_183;

    /** The group all agents are in, for folders they share. */
    static final int GROUP = 60_699;

    private final Map<Path, Integer> users = new HashMap<>();
    private final Set<Path> looked = new HashSet<>();

    /**
     * The user of the agent with this folder: the folder's owner unless another agent has it, else
     * a new one.
     */
    synchronized int of(Path own) throws IOException {
        Path neighbourhood = own.resolveSibling("");
        if (looked.add(neighbourhood) && Files.isDirectory(neighbourhood)) {
            scanUsers(neighbourhood);
        }
        Integer known = users.get(own);
        if (known != null && Collections.frequency(users.values(), known) == 1) {
            return known;
        }
        int free =
                IntStream.range(FIRST, LAST)
                        .filter(uid -> !users.containsValue(uid))
                        .findFirst()
                        .orElse(LAST);
        users.put(own, free);
        return free;
    }

    private void scanUsers(Path neighbourhood) throws IOException {
        try (DirectoryStream<Path> all = Files.newDirectoryStream(neighbourhood)) {
            for (Path each : all) {
                if (Files.getAttribute(each, "unix:uid") instanceof Integer uid
                        && uid >= FIRST
                        && uid <= LAST) {
                    users.put(each, uid);
                }
            }
        }
    }
}
