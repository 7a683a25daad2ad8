package dev.skep.supervisor.live;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(20)
class StreamingToATabTest {
    private static final EventStream.Pace PACE =
            new EventStream.Pace(
                    () -> Instant.parse("2026-11-15T12:00:00Z"), System::nanoTime, "p1");

    /** A tab that reads its stream. */
    private static final class Tab implements AutoCloseable {
        private final BufferedReader in;
        private final Thread thread;

        Tab(TestTopic testTopic, String from, @Nullable FollowedLog log) throws IOException {
            var out = new PipedOutputStream();
            in =
                    new BufferedReader(
                            new InputStreamReader(
                                    new PipedInputStream(out, 1 << 20), StandardCharsets.UTF_8));
            var stream = new EventStream(testTopic.board, Set.of("books"), from, log, "", PACE);
            thread =
                    Thread.ofVirtual()
                            .start(
                                    () -> {
                                        try {
                                            stream.writeTo(out);
                                        } catch (IOException closed) {
                                            // the tab was closed
                                        }
                                    });
        }

        /** The next event of this name, as its lines. */
        String next(String event) throws IOException {
            StringBuilder block = new StringBuilder();
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                if (!line.isEmpty()) {
                    block.append(line).append('\n');
                } else if (block.indexOf("event: " + event + "\n") >= 0) {
                    return block.toString();
                } else {
                    block.setLength(0);
                }
            }
            throw new AssertionError("the stream ended");
        }

        @Override
        public void close() throws IOException {
            thread.interrupt();
            in.close();
        }
    }

    @Test
    void a_stream_begins_with_the_servers_clock() throws IOException {
        try (TestTopic testTopic = new TestTopic();
                Tab tab = new Tab(testTopic, "", null)) {
            assertThat(tab.next("clock")).contains("{\"now\":\"2026-11-15T12:00:00.000000Z\"}");
        }
    }

    @Test
    void a_place_of_another_process_is_answered_by_a_reset() throws IOException {
        try (TestTopic testTopic = new TestTopic();
                Tab tab = new Tab(testTopic, "other.17", null)) {
            assertThat(tab.next("reset")).contains("books");
        }
    }

    @Test
    void a_stream_continues_from_the_id_of_its_last_event() throws IOException {
        try (TestTopic testTopic = new TestTopic()) {
            testTopic.put("1", "Walden");
            String place = PACE.place(testTopic.board.read("books").number());
            String first;
            try (Tab tab = new Tab(testTopic, place, null)) {
                testTopic.put("1", "Emma");
                first = tab.next("delta");
            }
            String id = first.lines().filter(l -> l.startsWith("id: ")).findFirst().orElseThrow();
            testTopic.put("1", "Persuasion");
            try (Tab tab = new Tab(testTopic, id.substring(4), null)) {
                assertThat(tab.next("delta")).contains("Persuasion").doesNotContain("Emma");
            }
        }
    }

    @Test
    void a_followed_log_comes_in_order_and_its_last_line_is_in_the_id() throws IOException {
        List<TestTopic.Book> lines =
                List.of(new TestTopic.Book("A1", "one"), new TestTopic.Book("A2", "two"));
        FollowedLog log =
                (line, limit) ->
                        lines.stream().filter(l -> l.id().compareTo(line) > 0).limit(1).toList();
        try (TestTopic testTopic = new TestTopic();
                Tab tab = new Tab(testTopic, "", log)) {
            assertThat(tab.next("lines")).contains("one").contains(".A1\n");
            testTopic.put("1", "something moved");
            assertThat(tab.next("lines")).contains("two").contains(".A2\n");
        }
    }

    @Test
    void a_log_that_was_followed_before_continues_after_its_last_line() throws IOException {
        FollowedLog log =
                (line, limit) ->
                        line.equals("A7") ? List.of(new TestTopic.Book("A8", "eight")) : List.of();
        try (TestTopic testTopic = new TestTopic();
                Tab tab = new Tab(testTopic, "p1.0.A7", log)) {
            assertThat(tab.next("lines")).contains("eight");
        }
    }
}
