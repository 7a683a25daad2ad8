package dev.skep.runner.workspace;

import static org.assertj.core.api.Assertions.assertThat;

import dev.skep.agents.Agent;
import dev.skep.kernel.id.AgentId;
import dev.skep.kernel.id.HostId;
import dev.skep.shell.BashShells;
import dev.skep.shell.redact.Redactor;
import dev.skep.store.Database;
import dev.skep.store.DatabaseUrl;
import dev.skep.store.engine.Databases;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Instant;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Workspaces behind the strongest wall of this machine, with a real database and real git. */
final class WorkspaceFixture implements AutoCloseable {
    static final String SECRET = "hunter2-hunter2-hunter2";

    final Path dataDir;
    final Git owner;
    final Workspaces workspaces;
    private final Database database;

    WorkspaceFixture(Path dir) throws IOException {
        dataDir = Files.createDirectories(dir.resolve("data"));
        owner = Git.repository(dir.resolve("shop"));
        database =
                Databases.open(
                        new DatabaseUrl.Sqlite(dataDir.resolve("runner.db")), Clock.systemUTC());
        String path = System.getenv("PATH");
        workspaces =
                new Workspaces(
                        new WorkspaceStore(database),
                        BashShells.isolated(Map.of("PATH", path), new SecureRandom()),
                        dataDir,
                        path,
                        new Redactor(Set.of(SECRET)),
                        Clock.systemUTC());
    }

    WorkspacePlace dora() {
        return dora(owner.folder, "skep/dora", null);
    }

    WorkspacePlace dora(Path repo, String branch, @Nullable String problem) {
        Path own = dataDir.resolve("work").resolve("dora");
        return new WorkspacePlace(
                agent(), own, own, new WorkspacePlace.WantedClone(repo, branch, problem));
    }

    /** An agent that works in a folder of the owner's. */
    WorkspacePlace withFolder(Path folder) {
        return new WorkspacePlace(agent(), dataDir.resolve("work").resolve("dora"), folder, null);
    }

    private static Agent agent() {
        return new Agent(
                new AgentId("01HZZZZZZZZZZZZZZZZZZZZZZZ"),
                new HostId("01HZZZZZZZZZZZZZZZZZZZZZZH"),
                "host-1",
                "dora",
                null,
                Agent.Kind.AGENT,
                "dora.yaml",
                null,
                null,
                false,
                null,
                Instant.EPOCH);
    }

    /** Dora's workspace, made. */
    Git prepared() throws InterruptedException {
        assertThat(workspaces.prepare(dora()))
                .isEqualTo(new Workspaces.Prepared.Ready(dora().repository()));
        return new Git(dora().repository());
    }

    String refusal(WorkspacePlace place) throws InterruptedException {
        return workspaces.prepare(place) instanceof Workspaces.Prepared.Refused(var why)
                ? why
                : "not refused";
    }

    @Override
    public void close() {
        database.close();
    }
}
