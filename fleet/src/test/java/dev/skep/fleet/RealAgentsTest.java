package dev.skep.fleet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.skep.fleet.agent.AgentHost;
import dev.skep.fleet.agent.AgentPackages;
import dev.skep.fleet.agent.CodingModel;
import dev.skep.fleet.agent.RuntimeWalk;
import dev.skep.fleet.agent.WalkedRuntime;
import dev.skep.testkit.provider.FakeProvider;
import dev.skep.testkit.provider.ProviderCall;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Coding agents that others make, in the whole product, as processes behind the wall; only the
 * model is ours. Where they are not installed this is skipped and says how to get them.
 */
@Timeout(300)
class RealAgentsTest {
    private static final AgentPackages PACKAGES = AgentPackages.here();

    @TempDir Path folder;

    @Test
    void opencode_asks_works_costs_resumes_and_is_refused() throws Exception {
        assertThat(walk(WalkedRuntime.OPENCODE)).isEmpty();
    }

    @Test
    void pi_asks_works_costs_resumes_and_is_refused() throws Exception {
        assertThat(walk(WalkedRuntime.PI)).isEmpty();
    }

    /** What did not work. */
    private List<RuntimeWalk.Found> walk(WalkedRuntime runtime) throws Exception {
        boolean required = Boolean.getBoolean("skep.agents.required");
        assumeTrue(required || runtime.isInstalled(PACKAGES), AgentPackages.HOW_TO_INSTALL);
        try (FakeProvider provider = new FakeProvider(new CodingModel());
                AgentHost host = AgentHost.start(folder, "box", PACKAGES, provider, Map.of())) {
            List<RuntimeWalk.Found> found = RuntimeWalk.of(runtime, host, provider);
            noneButTheProviderHasTheKey(host, provider);
            return found.stream().filter(each -> !each.works()).toList();
        }
    }

    private static void noneButTheProviderHasTheKey(AgentHost host, FakeProvider provider)
            throws IOException {
        assertThat(provider.calls().stream().map(ProviderCall::headers).toList())
                .isNotEmpty()
                .allSatisfy(headers -> assertThat(headers.toString()).contains(AgentHost.KEY));
        assertThat(host.process().descendants().toList())
                .isNotEmpty()
                .allSatisfy(
                        process ->
                                assertThat(environment(process.pid()))
                                        .doesNotContain(AgentHost.KEY));
        try (Stream<Path> files = Files.walk(host.dataDir().getParent())) {
            assertThat(files.filter(Files::isRegularFile).filter(file -> !file.endsWith(".env")))
                    .isNotEmpty()
                    .allSatisfy(file -> assertThat(text(file)).doesNotContain(AgentHost.KEY));
        }
    }

    /** Empty for a process that has ended meanwhile. */
    private static String environment(long pid) {
        try {
            return Files.readString(Path.of("/proc/" + pid + "/environ"));
        } catch (IOException gone) {
            return "";
        }
    }

    private static String text(Path file) {
        try {
            return new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1);
        } catch (IOException e) {
            throw new UncheckedIOException(file.toString(), e);
        }
    }
}
