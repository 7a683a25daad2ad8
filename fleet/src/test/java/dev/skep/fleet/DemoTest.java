package dev.skep.fleet;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.skep.app.Main;
import dev.skep.app.admin.AdminFile;
import dev.skep.app.demo.Demo;
import dev.skep.kernel.lifecycle.Lifecycle;
import dev.skep.testkit.JavaCommand;
import dev.skep.transport.client.Api;
import dev.skep.transport.client.HttpApi;
import java.net.http.HttpClient;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The demo shows what it says it shows, and leaves nothing behind. */
@Timeout(120)
class DemoTest {
    @Test
    void agents_on_three_hosts_work_together_and_all_is_gone_afterwards() {
        Path folder;
        List<ProcessHandle> processes;
        try (var lifecycle = new Lifecycle();
                HttpClient client = HttpApi.newClient()) {
            var settings =
                    new Demo.Settings(
                            JavaCommand.of(Main.class),
                            0,
                            Optional.empty(),
                            Map.of("PATH", System.getenv("PATH")));
            var demo = new Demo(lifecycle, settings, _ -> {});
            folder = demo.folder();
            assertThat(demo.open()).anyMatch(line -> line.contains("/sign-in#skep_signin_"));
            processes = ProcessHandle.current().children().toList();

            has(client, folder.resolve("attic"), "/api/runner/mail", "builds so far");
            has(client, folder.resolve("dock"), "/api/runner/approvals", "releases.txt");
            has(client, folder.resolve("hub"), "/api/orgs/default/jobs", "succeeded");
            has(client, folder.resolve("hub"), "/api/orgs/default/servers", "running");
        }
        assertThat(folder).doesNotExist();
        Eventually.holds(
                "all processes end", () -> processes.stream().noneMatch(ProcessHandle::isAlive));
    }

    private static void has(HttpClient client, Path dataDir, String path, String words) {
        AdminFile.Door door = AdminFile.read(dataDir).orElseThrow();
        Api api = new HttpApi(client, door.url(), Optional.of(door.secret()));
        Eventually.holds(
                path + " shows " + words,
                () -> new String(api.get(path).json(), UTF_8).contains(words));
    }
}
