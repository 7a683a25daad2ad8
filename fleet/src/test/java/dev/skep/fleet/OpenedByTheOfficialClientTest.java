package dev.skep.fleet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.skep.fleet.agent.AgentPackages;
import dev.skep.testkit.Eventually;
import dev.skep.testkit.Relay;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** {@code skep acp}, opened by the client that editors are built on. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class OpenedByTheOfficialClientTest {
    private static final int CUTS = 20;

    private final AgentsToOpen agents = new AgentsToOpen();
    @TempDir Path scripts;

    @BeforeAll
    void open(@TempDir Path data) throws Exception {
        assumeTrue(
                Boolean.getBoolean("skep.agents.required") || OfficialEditor.isInstalled(),
                AgentPackages.HOW_TO_INSTALL);
        agents.open(data);
    }

    @AfterAll
    void close() {
        agents.close();
    }

    private OfficialEditor editor(String agent, String hub) throws IOException {
        return OfficialEditor.open(scripts, agents.hubKey(), "acp", "--agent", agent, "--hub", hub);
    }

    @Test
    void prompts_stream_ask_cancel_and_are_loaded_again() throws Exception {
        try (OfficialEditor editor = editor("mara", agents.url());
                OfficialEditor later = editor("mara", agents.url())) {
            assertThat(editor.told("loads")).containsExactly("true");
            editor.does("open", "");
            String session = editor.await("session");

            editor.does("prompt", "count to 3");
            assertThat(editor.await("stop")).isEqualTo("end_turn");
            assertThat(editor.said()).isEqualTo("Counting to 3.\n");
            assertThat(editor.told("asked")).containsExactly("seq 1 3");
            assertThat(editor.toolCalls()).contains("seq 1 3");

            editor.does("prompt", "take your time");
            editor.await("asked", 2);
            Eventually.holds("it sleeps", () -> editor.toolCalls().contains("sleep 60"));
            editor.does("cancel", "");
            editor.await("stop", 2);
            assertThat(editor.told("stop")).containsExactly("end_turn", "cancelled");

            later.does("load", session);
            later.await("session");
            assertThat(later.prompts()).containsExactly("count to 3", "take your time");
            assertThat(later.said()).isEqualTo(editor.said());
            assertThat(later.toolCalls()).isEqualTo(editor.toolCalls());
            assertThat(later.told("failed")).isEmpty();
        }
    }

    @Test
    void a_cable_that_is_cut_twenty_times_loses_and_doubles_nothing() throws Exception {
        try (Relay relay = new Relay(URI.create(agents.url()).getPort());
                OfficialEditor editor = editor("dora", relay.url());
                OfficialEditor calm = editor("dora", agents.url())) {
            editor.does("open", "");
            String session = editor.await("session");
            for (int i = 1; i <= CUTS; i++) {
                String begun = "Counting to " + i + ".";
                editor.does("prompt", "count to " + i);
                Eventually.holds("it begins", () -> editor.said().contains(begun));
                relay.sever();
                assertThat(editor.await("log", 2 * i - 1)).contains("is lost");
                relay.recover();
                assertThat(editor.await("log", 2 * i)).contains("there again");
                editor.await("stop", i);
            }
            calm.does("load", session);
            calm.await("session");
            List<String> counted =
                    IntStream.rangeClosed(1, CUTS)
                            .mapToObj(i -> "Counting to " + i + ".\n")
                            .toList();
            assertThat(editor.said()).isEqualTo(String.join("", counted)).isEqualTo(calm.said());
            assertThat(editor.toolCalls())
                    .isEqualTo(calm.toolCalls())
                    .hasSizeGreaterThanOrEqualTo(CUTS);
            assertThat(editor.told("failed")).isEmpty();
        }
    }
}
