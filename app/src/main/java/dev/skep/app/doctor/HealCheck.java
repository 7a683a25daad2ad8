package dev.skep.app.doctor;

import dev.skep.app.assembly.HostDatabases;
import dev.skep.cli.config.Configuration;
import dev.skep.directory.host.AwaitedHubs;
import dev.skep.directory.host.HostKeyFile;
import dev.skep.directory.host.HostKind;
import dev.skep.directory.host.JoinedHub;
import dev.skep.store.Database;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Whether agents wait for a hub to give back what their database has lost. */
final class HealCheck implements Check {
    private final Configuration configuration;

    HealCheck(Configuration configuration) {
        this.configuration = configuration;
    }

    @Override
    public List<Finding> findings() {
        Optional<Database> opened =
                ReadableDatabase.of(HostDatabases.runnerDatabase(configuration));
        if (opened.isEmpty()) {
            return List.of();
        }
        try (Database database = opened.get()) {
            Set<String> awaited = database.read(AwaitedHubs::awaited);
            return HostKeyFile.in(configuration.dataDir(), HostKind.RUNNER).read().stream()
                    .flatMap(content -> content.hubs().stream())
                    .filter(hub -> awaited.contains(hub.hubId()))
                    .map(HealCheck::waiting)
                    .toList();
        }
    }

    private static Finding waiting(JoinedHub hub) {
        return Finding.warning(
                "heal",
                "the runner's database is older than what %s knows of this host: agents wait until it has given that back"
                        .formatted(hub.url()),
                "see that the hub is linked (skep sync); a start with --wait-for-agents 0 continues without it");
    }
}
