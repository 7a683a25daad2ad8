package dev.skep.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.skep.directory.module.HostProcess;
import dev.skep.kernel.consent.Consents;
import dev.skep.kernel.lifecycle.Lifecycle;
import dev.skep.testkit.Eventually;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What files of agents that a hub brought may use on a runner. */
@Timeout(180)
class FilesThatAHubBroughtTest extends RunnerOfALyingHub {
    @Test
    void what_it_brought_is_no_file_of_this_host_when_the_database_is_lost() throws Exception {
        LyingHub hub = hub();
        runner(hub, Map.of("SKEP_ALLOW", "steer,agents"));
        hub.forward(rows(hosts(ELSEWHERE, ELSEWHERE, 0)));
        guest(
                hub,
                "01K0GUESTX000000000000000C",
                "zoe",
                "start_commands: [\"echo '${env.SESAME}' > %s\"]\n".formatted(loot.resolve("zoe")));
        Eventually.holds("zoe's commands ran", () -> !text(loot.resolve("zoe")).isEmpty());
        lifecycle.close();
        Files.delete(loot.resolve("zoe"));
        for (String name : List.of("runner.db", "runner.db-wal", "runner.db-shm")) {
            Files.deleteIfExists(data.resolve(name));
        }

        lifecycle = new Lifecycle();
        HostProcess host =
                runner(hub, Map.of("SKEP_ALLOW", "steer,agents", "SKEP_WAIT_FOR_AGENTS", "0"));
        Eventually.holds("zoe's commands ran", () -> !text(loot.resolve("zoe")).isEmpty());
        assertThat(text(loot.resolve("zoe"))).contains("${env.SESAME}").doesNotContain(SECRET);
        host.host().keys().allow(hub.url, Consents.USUAL);
        stop(hub, "zoe");
        assertThat(hub.job("agent.start", Map.of("agent", "zoe")))
                .startsWith("failed")
                .contains("does not allow 'agents'", "skep agents own zoe");

        HttpVisitor.local(url, data).post("/api/runner/agents/zoe/own", Map.of());
        assertThat(text(data.resolve("foreign-agents"))).doesNotContain("zoe.yaml");
    }

    @Test
    void a_host_lists_what_files_from_elsewhere_may_use() throws Exception {
        Path lent = Files.createDirectories(folder.resolve("lent"));
        Files.setPosixFilePermissions(lent, PosixFilePermissions.fromString("rwxrwxrwx"));
        Files.writeString(data.resolve("remote-env"), "# for guests\nSESAME\n");
        Files.writeString(data.resolve("remote-folders"), lent + "\n");
        LyingHub hub = hub();
        runner(hub, Map.of("SKEP_ALLOW", "agents"));
        hub.forward(rows(hosts(ELSEWHERE, ELSEWHERE, 0)));
        guest(
                hub,
                "01K0ZOE000000000000000000A",
                "zoe",
                "folder: %s\nstart_commands: [\"echo ${env.SESAME} > given\"]\n".formatted(lent));
        Eventually.holds("zoe was given it", () -> !text(lent.resolve("given")).isEmpty());
        assertThat(text(lent.resolve("given"))).contains(SECRET);
    }
}
