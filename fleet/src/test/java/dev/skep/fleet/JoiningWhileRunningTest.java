package dev.skep.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.skep.app.assembly.Assembly;
import dev.skep.app.assembly.Composition;
import dev.skep.cli.config.Configuration;
import dev.skep.kernel.lifecycle.Lifecycle;
import dev.skep.runner.terminal.Terminal;
import dev.skep.testkit.Eventually;
import dev.skep.transport.route.Json;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(120)
class JoiningWhileRunningTest {
    @TempDir Path folder;

    @Test
    void a_running_runner_links_to_a_hub_when_it_is_enrolled_and_stops_when_it_leaves() {
        try (HubNode hub = HubNode.open(folder.resolve("hub"), 0);
                var lifecycle = new Lifecycle()) {
            String data = folder.resolve("runner").toString();
            Configuration alone = TestSettings.runner(folder.resolve("runner"), "box", List.of());
            new Assembly(alone, lifecycle, folder, "test")
                    .open(Composition.run(false, false), Terminal.none());
            String hubData = folder.resolve("hub").toString();
            String pair = said("hosts", "pair", "--json", "--data-dir", hubData);
            String code = Json.fields(pair).text("code");

            assertThat(said("enrol", hub.url, "--code", code, "--data-dir", data))
                    .isEqualTo("enrolled with " + hub.url + ", which may: steer");
            Eventually.holds("linked", this::connected);

            assertThat(said("enrol", hub.url, "--leave", "--data-dir", data))
                    .isEqualTo("left " + hub.url);
            Eventually.holds("not linked", () -> !connected());
        }
    }

    private boolean connected() {
        return said("hosts", "--json", "--data-dir", folder.resolve("hub").toString())
                .contains("\"connected\":true");
    }

    private static String said(String... command) {
        try {
            SkepCommand.Ended ended = SkepCommand.run(command);
            assertThat(ended.status()).as(ended.said()).isZero();
            return ended.said().strip();
        } catch (IOException | InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
