package dev.skep.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.skep.directory.module.HostProcess;
import dev.skep.kernel.consent.Consents;
import dev.skep.testkit.Eventually;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A hub that lies achieves nothing on a runner that the runner did not allow. */
@Timeout(180)
class AHubThatLiesTest extends RunnerOfALyingHub {
    @Test
    void achieves_nothing_that_the_host_did_not_allow() throws Exception {
        LyingHub hub = hub();
        HostProcess host = runner(hub, Map.of());
        String self = host.host().id().value();
        String ada = idOf(host, "ada");
        assertThat(hub.allows()).containsExactly("steer");
        Map<String, String> before = modes();

        hub.forward(
                rows(
                        hosts(ELSEWHERE, ELSEWHERE, 0),
                        user(
                                ELSEWHERE,
                                0,
                                "01K0MALLORY00000000000000A",
                                "mallory",
                                thief("mallory"))));
        hub.grant("01K0MALLORY00000000000000A", 7);
        // Rows of this host, some as if another had taken them over.
        hub.forward(
                rows(
                        user(self, 9, "01K0MALLORY00000000000000B", "mary", thief("mary")),
                        hosts(ELSEWHERE, self, 9)));
        hub.heal(rows(user(self, 9, "01K0MALLORY00000000000000C", "moe", thief("moe"))), 1L << 40);

        assertThat(hub.job("shell", Map.of("command", "id > " + loot.resolve("shell"))))
                .startsWith("failed")
                .contains("does not allow 'jobs'", "skep allow " + hub.url + " steer,jobs");
        assertThat(
                        hub.job(
                                "server.start",
                                Map.of(
                                        "serverInstanceId",
                                        "01K0SERVER0000000000000000",
                                        "spec",
                                        Map.of("command", "id > " + loot.resolve("server")))))
                .startsWith("failed")
                .contains("does not allow 'jobs'");
        assertThat(hub.job("agent.rename", Map.of("agent", "ada", "name", "eve")))
                .startsWith("failed")
                .contains("does not allow 'agents'");
        assertThat(hub.job("host.update", Map.of("from", hub.url))).startsWith("failed");
        assertThat(hub.job("agent.start", Map.of("agent", "mallory")))
                .startsWith("failed")
                .contains("there is no agent 'mallory'");
        // What was allowed works, so that the rest did not fail for another reason.
        assertThat(hub.job("agent.pause", Map.of("agent", "ada"))).startsWith("succeeded");

        // The host watches its agents in its own time: a guest that may come is proof that it has.
        host.host().keys().allow(hub.url, Consents.OF_OWN_HUB);
        guest(hub, "01K0ZOE000000000000000000A", "zoe", "");
        Eventually.holds("zoe has her file", () -> exists("agents/zoe.yaml"));
        Eventually.holds("zoe works", () -> exists("work/zoe"));

        assertThat(names("agents"))
                .containsExactlyInAnyOrder(
                        "ada.yaml", "ada.script.yaml", "zoe.yaml", "zoe.script.yaml");
        assertThat(loot).isEmptyDirectory();
        assertThat(owners(host))
                .containsEntry("ada", self)
                .containsEntry("mallory", ELSEWHERE)
                .doesNotContainKeys("mary", "moe");
        assertThat(idOf(host, "ada")).isEqualTo(ada);
        assertThat(host.host().name()).isEqualTo(nameOf(host, self));
        Map<String, String> after = modes();
        after.keySet().retainAll(before.keySet());
        assertThat(after).isEqualTo(before);
    }

    @Test
    void brings_agents_where_it_may_and_still_learns_and_opens_nothing() throws Exception {
        Path outside = Files.createDirectories(folder.resolve("outside"));
        Files.writeString(outside.resolve("mine"), "mine");
        LyingHub hub = hub();
        HostProcess host = runner(hub, Map.of("SKEP_ALLOW", "steer,agents"));
        Files.createSymbolicLink(data.resolve("work/link"), data.resolve("agents"));
        Map<String, String> before = modes();
        before.putAll(FileModes.below(outside));

        String wants =
                """
                env: { STOLEN: "${env.SESAME}" }
                start_commands: ["echo 'found ${env.SESAME}' $STOLEN > %s"]
                """;
        hub.forward(rows(hosts(ELSEWHERE, ELSEWHERE, 0)));
        Map<String, String> elsewhere =
                Map.of(
                        "abe", outside.toString(),
                        "bea", ".",
                        "cal", "agents",
                        "deb", "..",
                        "eli", "work/link",
                        "fay", "work/ada",
                        "gil", "work");
        int number = 0;
        for (Map.Entry<String, String> each : elsewhere.entrySet()) {
            guest(
                    hub,
                    "01K0GUEST%016d".formatted(number++),
                    each.getKey(),
                    "folder: '%s'\n".formatted(each.getValue())
                            + wants.formatted(loot.resolve(each.getKey())));
        }
        // A script that is an agent's file, and a file that calls itself like an agent of the host.
        come(
                hub,
                "01K0GUESTX000000000000000A",
                "hal",
                """
                prompt: x
                model: scripted:backdoor.yaml
                --- # file: backdoor.yaml
                prompt: x
                model: m
                """);
        come(
                hub,
                "01K0GUESTX000000000000000B",
                "aaron",
                "username: ada\nprompt: x\nmodel: scripted:../../.env\n");
        guest(hub, "01K0GUESTX000000000000000C", "zoe", wants.formatted(loot.resolve("zoe")));

        Eventually.holds("zoe's commands ran", () -> Files.exists(loot.resolve("zoe")));
        Eventually.holds("zoe has said it all", () -> !text(loot.resolve("zoe")).isEmpty());
        assertThat(text(loot.resolve("zoe"))).contains("${env.SESAME}").doesNotContain(SECRET);
        for (String each : elsewhere.keySet()) {
            assertThat(hub.job("agent.start", Map.of("agent", each)))
                    .startsWith("failed")
                    .contains(each + ".yaml:")
                    .contains("folder: '" + elsewhere.get(each) + "'");
        }
        assertThat(names("agents")).doesNotContain("backdoor.yaml", "hal.yaml", "aaron.yaml");
        assertThat(names("../loot")).containsExactly("zoe");
        Map<String, String> after = modes();
        after.putAll(FileModes.below(outside));
        after.keySet().retainAll(before.keySet());
        assertThat(after).isEqualTo(before);
        assertThat(text(data.resolve("agents/ada.yaml"))).contains("Say hello");

        // Neither another name nor a lost row makes the file one of this host.
        stop(hub, "zoe");
        assertThat(hub.job("agent.rename", Map.of("agent", "zoe", "name", "zara")))
                .startsWith("succeeded");
        hub.forward(rows(user(ELSEWHERE, 90, "01K0GUESTX000000000000000C", "nobody", "")));
        Files.delete(loot.resolve("zoe"));
        reload();
        assertThat(hub.job("agent.start", Map.of("agent", "zara"))).startsWith("succeeded");
        Eventually.holds("zara's commands ran", () -> !text(loot.resolve("zoe")).isEmpty());
        assertThat(text(loot.resolve("zoe"))).doesNotContain(SECRET);
        stop(hub, "zara");

        // The host withdraws: what came starts no more, and its own go on.
        host.host().keys().allow(hub.url, Consents.USUAL);
        assertThat(hub.job("agent.start", Map.of("agent", "zara")))
                .startsWith("failed")
                .contains("does not allow 'agents'", "skep agents own zara");
        assertThat(hub.job("agent.talk", Map.of("agent", "ada", "text", "hello")))
                .startsWith("succeeded");

        // Its owner has read the file and says so.
        Files.delete(loot.resolve("zoe"));
        HttpVisitor.local(url, data).post("/api/runner/agents/zara/own", Map.of());
        assertThat(hub.job("agent.start", Map.of("agent", "zara"))).startsWith("succeeded");
        Eventually.holds("zara's commands ran", () -> !text(loot.resolve("zoe")).isEmpty());
        assertThat(text(loot.resolve("zoe"))).contains(SECRET);
    }
}
