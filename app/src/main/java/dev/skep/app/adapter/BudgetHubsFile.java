package dev.skep.app.adapter;

import dev.skep.store.file.DurableFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The hubs that ever had a budget for this host, in a file that survives the loss of its database:
 * only of these the host must hear again before it spends. Thread-safe.
 */
public final class BudgetHubsFile {
    private static final Logger LOG = LoggerFactory.getLogger(BudgetHubsFile.class);

    private final Path file;

    public BudgetHubsFile(Path file) {
        this.file = file;
    }

    synchronized boolean has(String hub) {
        try {
            return hubs().contains(hub);
        } catch (IOException e) {
            LOG.warn("cannot read {}: {}", file, e.getMessage());
            return true;
        }
    }

    /** Remembers a hub before anything of its budgets is used. */
    synchronized void add(String hub) {
        try {
            Set<String> hubs = hubs();
            if (hubs.add(hub)) {
                DurableFiles.replace(
                        file, DurableFiles.Access.OWNER_ONLY, String.join("\n", hubs) + "\n");
            }
        } catch (IOException e) {
            LOG.warn("cannot write {}: {}", file, e.getMessage());
        }
    }

    private Set<String> hubs() throws IOException {
        return Files.exists(file) ? new TreeSet<>(Files.readAllLines(file)) : new TreeSet<>();
    }
}
