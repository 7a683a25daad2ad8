package dev.skep.runner;

import static org.assertj.core.api.Assertions.assertThat;

import dev.skep.models.provider.FakeProvider;
import dev.skep.models.provider.WireFormat;
import dev.skep.models.table.ConfiguredModels;
import dev.skep.models.table.ModelTable;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A model that calls tools wrongly, behind a real address, and the agent whose model it is. */
final class WrongToolCallsTest {
    @TempDir Path dir;

    @ParameterizedTest
    @EnumSource
    void a_wrong_call_is_answered_to_the_model_and_what_goes_on_is_held(WireFormat wire)
            throws Exception {
        List<String> requests = new CopyOnWriteArrayList<>();
        try (var provider =
                new FakeProvider(
                        (FakeProvider.Answering)
                                seen -> {
                                    requests.add(seen.body());
                                    return FakeProvider.stream(reply(wire, requests.size()));
                                })) {
            agentOf(wire, provider);
            try (TestRunner test = TestRunner.start(dir, models())) {
                test.recorder.await(
                        "alice OUTPUT: error: there is no tool 'read_file'; call 'run'");
                // The good call beside it runs.
                test.recorder.await("alice OUTPUT: ü");
                test.recorder.await("alice OUTPUT: error: 'run' has no argument 'cmd2'");
                test.recorder.await("alice is PAUSED", "goes in circles");
                assertThat(test.recorder.seen())
                        .noneMatch(line -> line.contains("BACKING_OFF") || line.contains("ERROR"));
                assertThat(test.log("alice"))
                        .anyMatch(line -> line.startsWith("COMMAND: read_file {"));
            }
            assertThat(requests.get(1))
                    .contains("there is no tool 'read_file'")
                    .contains("a string");
            // Wrong in the same way from the third on, worded anew each time: held at the sixth of
            // these.
            assertThat(requests).hasSize(8);
        }
    }

    private static String reply(WireFormat wire, int call) {
        return call == 1
                ? wire.twoCalls().replaceFirst("\"name\":\"run\"", "\"name\":\"read_file\"")
                : wire.twoCalls()
                        .replace("ls -la", "ls -l" + call)
                        .replace("command", call == 2 ? "cmd2" : "cmd");
    }

    private void agentOf(WireFormat wire, FakeProvider provider) throws Exception {
        Files.writeString(
                dir.resolve("models.yaml"),
                "models: [{ name: m, provider: %s, url: \"%s\", key: none, context_tokens: 100000 }]"
                        .formatted(wire.providerProtocol.word(), provider.address()));
        TestRunner.agent(dir, "alice", "prompt: x\nmodel: m\n");
    }

    private ConfiguredModels models() {
        return new ConfiguredModels(
                () -> ModelTable.read(dir.resolve("models.yaml")),
                name -> Optional.empty(),
                TestRunner.CLOCK);
    }
}
