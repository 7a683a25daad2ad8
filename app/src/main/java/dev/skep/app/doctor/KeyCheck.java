package dev.skep.app.doctor;

import dev.skep.cli.config.Configuration;
import dev.skep.cli.config.Setting;
import dev.skep.directory.host.HostKeyFile;
import dev.skep.directory.host.HostKind;
import dev.skep.kernel.error.SkepException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;

/** Checks the key files of this host, and whether it can join its configured hubs. */
final class KeyCheck implements Check {
    private static final String CHECK = "host key";

    private final Configuration configuration;

    KeyCheck(Configuration configuration) {
        this.configuration = configuration;
    }

    @Override
    public List<Finding> findings() {
        List<Finding> found = new ArrayList<>();
        for (HostKind kind : HostKind.values()) {
            found.add(look(HostKeyFile.in(configuration.dataDir(), kind), kind));
        }
        if (configuration.links().accessKey().isPresent()) {
            found.add(Finding.ok(CHECK, Setting.HUB_ACCESS_KEY.ownName() + " is set"));
        }
        return found;
    }

    private static Finding look(HostKeyFile file, HostKind kind) {
        try {
            return file.read()
                    .map(
                            content ->
                                    Finding.ok(
                                            CHECK,
                                            "%s is host %s, for its owner only"
                                                    .formatted(file.path(), content.host())))
                    .orElseGet(() -> missing(file, kind));
        } catch (SkepException unusable) {
            return Finding.problem(CHECK, unusable);
        }
    }

    private static Finding missing(HostKeyFile file, HostKind kind) {
        boolean used = Files.exists(file.path().resolveSibling(kind.stored() + ".db"));
        return used
                ? Finding.warning(
                        CHECK,
                        "%s is missing but %s.db is there: a new key will be made, which hubs refuse"
                                .formatted(file.path(), kind.stored()),
                        "restore it from a backup, or run: skep hosts pair --replace HOST at each hub")
                : Finding.ok(CHECK, "no %s key yet (%s)".formatted(kind.stored(), file.path()));
    }
}
