package dev.skep.app.assembly;

import dev.skep.directory.module.HostProcess;
import dev.skep.kernel.error.SkepException;
import dev.skep.transport.http.ReadinessChecks;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * Whether the databases of a process can be written to, by writing to them. Any client may ask, so
 * the answer says what is wrong and not where.
 */
final class DatabaseReadiness {
    private static final String NO_ROOM = "no space left on its disk";

    private DatabaseReadiness() {}

    static ReadinessChecks of(List<HostProcess> hosts) {
        Map<String, Supplier<Optional<String>>> checks =
                hosts.stream()
                        .collect(
                                Collectors.toMap(
                                        host -> host.host().kind().stored() + " database",
                                        host -> () -> wrong(host)));
        return new ReadinessChecks(checks);
    }

    private static Optional<String> wrong(HostProcess host) {
        try {
            // A value that is written every half minute anyway.
            host.steady().keep();
            return host.database().hasRoom() ? Optional.empty() : Optional.of(NO_ROOM);
        } catch (SkepException failure) {
            return Optional.of(
                    switch (failure.code()) {
                        case DISK_FULL -> NO_ROOM;
                        case DATA_DIR_UNUSABLE -> "its file cannot be written";
                        case DATABASE_UNREACHABLE -> "does not answer";
                        default -> "cannot be written: " + failure.code().code();
                    });
        }
    }
}
