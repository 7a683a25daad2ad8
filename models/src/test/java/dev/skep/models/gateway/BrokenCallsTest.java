package dev.skep.models.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.skep.agents.cost.Cost;
import dev.skep.agents.session.SessionKey;
import dev.skep.kernel.id.AgentId;
import dev.skep.models.gateway.GatewayBench.Asked;
import dev.skep.testkit.Eventually;
import dev.skep.testkit.provider.ProviderAnswer;
import dev.skep.testkit.provider.ProviderUsage;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Calls that do not come to their end: the provider may charge them, so they are booked. */
final class BrokenCallsTest {
    private static final ProviderUsage USED = ProviderUsage.of(100, 20);

    @TempDir Path dir;

    private GatewayBench bench(String limit, ProviderAnswer answer) throws Exception {
        GatewayBench bench = new GatewayBench(dir, limit, _ -> answer);
        bench.admit(RefusalStyle.BY_WIRE, null);
        return bench;
    }

    @ParameterizedTest
    @EnumSource(Asked.class)
    void a_stream_that_is_cut_costs_what_is_known_and_all_it_might_have_written(Asked wire)
            throws Exception {
        try (GatewayBench bench = bench("5", new ProviderAnswer.Cut("Hello big", USED))) {
            assertThatThrownBy(() -> bench.post(wire.path, wire.ask("hi")))
                    .isInstanceOf(IOException.class);
            Eventually.holds("it is booked", () -> !bench.listener.booked.isEmpty());
            Cost cost = bench.listener.booked.getFirst();
            assertThat(cost.source()).isEqualTo("interrupted");
            long most = 15_000;
            switch (wire) {
                // These say at the beginning how long the prompt is.
                case ANTHROPIC, GOOGLE -> assertThat(cost.micros()).isEqualTo(most + 300);
                case CHAT, RESPONSES -> assertThat(cost.micros()).isBetween(most + 3_000, 20_000L);
            }
            assertThat(bench.booked()).isEqualTo(cost.micros());
            assertThat(bench.openCalls()).isZero();
        }
    }

    @ParameterizedTest
    @EnumSource(Asked.class)
    void a_program_that_cancels_ends_the_call_of_the_provider_and_pays_for_it(Asked wire)
            throws Exception {
        try (GatewayBench bench = bench("5", new ProviderAnswer.Hang("Hello big", USED))) {
            HttpResponse<InputStream> got = bench.open(wire.path, wire.ask("hi"));
            assertThat(got.body().readNBytes(20)).hasSize(20);
            got.body().close();
            assertThat(bench.provider.sawHangUp()).isTrue();
            Eventually.holds("it is booked", () -> bench.booked() >= 15_000);
            assertThat(bench.openCalls()).isZero();
        }
    }

    @Test
    void a_program_that_leaves_before_the_first_word_ends_the_call_too() throws Exception {
        var asked = new CountDownLatch(1);
        var answers = new CountDownLatch(1);
        try (GatewayBench bench =
                new GatewayBench(
                        dir,
                        "5",
                        _ -> {
                            asked.countDown();
                            try {
                                answers.await();
                            } catch (InterruptedException e) {
                                Thread.currentThread().interrupt();
                            }
                            return ProviderAnswer.say("late");
                        })) {
            bench.admit(RefusalStyle.BY_WIRE, null);
            CompletableFuture<HttpResponse<String>> call =
                    bench.http.sendAsync(
                            bench.request(Asked.CHAT.path, Asked.CHAT.ask("hi")).build(),
                            HttpResponse.BodyHandlers.ofString());
            asked.await();
            assertThat(bench.openCalls()).isEqualTo(1);
            call.cancel(true);
            // The provider is still silent: nothing but the program's leaving can end the call.
            Eventually.holds("it is booked", () -> bench.openCalls() == 0);
            assertThat(bench.booked()).isGreaterThan(15_000);
            answers.countDown();
        }
    }

    @Test
    void dismissing_a_token_ends_its_calls_and_no_other() throws Exception {
        try (GatewayBench bench = bench("5", new ProviderAnswer.Hang("Hello big", USED))) {
            AgentId other = new AgentId(bench.ids.next());
            var told = new GatewayBench.Listener(new SessionKey(other, bench.ids.next(), 1));
            bench.admit("other-token", other, RefusalStyle.BY_WIRE, null, told);
            HttpResponse<InputStream> mine = bench.open(Asked.CHAT.path, Asked.CHAT.ask("hi"));
            HttpResponse<InputStream> theirs =
                    bench.http.send(
                            bench.request(Asked.CHAT.path, Asked.CHAT.ask("hi"))
                                    .setHeader("authorization", "Bearer other-token")
                                    .build(),
                            HttpResponse.BodyHandlers.ofInputStream());
            bench.gateway.dismiss(GatewayBench.TOKEN);
            assertThatThrownBy(() -> mine.body().readAllBytes()).isInstanceOf(IOException.class);
            Eventually.holds("it is booked", () -> bench.listener.booked.size() == 1);
            assertThat(told.booked).isEmpty();
            assertThat(bench.openCalls()).isEqualTo(1);
            assertThat(bench.post(Asked.CHAT.path, Asked.CHAT.ask("hi")).statusCode())
                    .isEqualTo(401);
            theirs.body().close();
        }
    }

    @Test
    void closing_the_server_ends_its_calls_and_books_them() throws Exception {
        try (GatewayBench bench = bench("5", new ProviderAnswer.Hang("Hello big", USED))) {
            HttpResponse<InputStream> got = bench.open(Asked.CHAT.path, Asked.CHAT.ask("hi"));
            bench.server.close();
            assertThat(bench.booked()).isGreaterThanOrEqualTo(15_000);
            assertThat(bench.openCalls()).isZero();
            got.body().close();
        }
    }

    @Test
    void an_error_before_the_first_word_costs_nothing_and_one_after_it_does() throws Exception {
        String error =
                "event: error\ndata: {\"type\":\"error\",\"error\":{\"type\":\"overloaded_error\",\"message\":\"Overloaded\"}}\n\n";
        String begun =
                "event: message_start\ndata: {\"type\":\"message_start\",\"message\":{\"usage\":{\"input_tokens\":100,\"output_tokens\":1}}}\n\n";
        try (GatewayBench bench = bench("5", events(error))) {
            assertThat(bench.post(Asked.ANTHROPIC.path, Asked.ANTHROPIC.ask("hi")).body())
                    .isEqualTo(error);
            assertThat(bench.booked()).isZero();
            bench.provider.follow(_ -> events(begun + error));
            bench.post(Asked.ANTHROPIC.path, Asked.ANTHROPIC.ask("hi"));
            assertThat(bench.booked()).isEqualTo(15_300);
        }
    }

    @Test
    void responses_that_fail_at_once_cost_nothing_and_others_do() throws Exception {
        String failed =
                "event: response.failed\ndata: {\"type\":\"response.failed\",\"response\":{\"status\":\"failed\",\"usage\":null,\"error\":{\"code\":\"%s\",\"message\":\"m\"}}}\n\n";
        try (GatewayBench bench = bench("5", events(failed.formatted("rate_limit_exceeded")))) {
            bench.post(Asked.RESPONSES.path, Asked.RESPONSES.ask("hi"));
            assertThat(bench.booked()).isZero();
            bench.provider.follow(_ -> events(failed.formatted("server_error")));
            bench.post(Asked.RESPONSES.path, Asked.RESPONSES.ask("hi"));
            assertThat(bench.booked()).isGreaterThan(15_000);
        }
    }

    @Test
    void an_answer_without_usage_costs_the_most_it_can() throws Exception {
        for (String body : new String[] {"{}", "not json", "data: not json\n\n", ""}) {
            try (GatewayBench bench = bench("5", events(body))) {
                long before = bench.booked();
                assertThat(bench.post(Asked.CHAT.path, Asked.CHAT.ask("hi")).body())
                        .isEqualTo(body);
                assertThat(bench.booked() - before).isGreaterThan(15_000);
            }
        }
    }

    @Test
    void what_a_killed_runner_had_open_is_booked_in_full_at_the_next_start() throws Exception {
        var asked = new CountDownLatch(1);
        Path killed = dir.resolve("killed");
        Path copy = dir.resolve("copy");
        Files.createDirectories(killed);
        Files.createDirectories(copy);
        try (GatewayBench bench =
                new GatewayBench(
                        killed,
                        "5",
                        _ -> {
                            // What is on disk at the moment in which the provider is asked.
                            copy(killed, copy);
                            asked.countDown();
                            return ProviderAnswer.say("late");
                        })) {
            bench.admit(RefusalStyle.BY_WIRE, null);
            bench.post(Asked.CHAT.path, Asked.CHAT.ask("hi"));
            asked.await();
        }
        try (GatewayBench next = new GatewayBench(copy, "5", _ -> ProviderAnswer.say("x"))) {
            assertThat(next.openCalls()).isZero();
            assertThat(next.booked()).isGreaterThan(15_000);
        }
    }

    private static void copy(Path from, Path to) {
        try (var files = Files.list(from)) {
            for (Path file : files.filter(f -> f.toString().contains("runner.db")).toList()) {
                Files.copy(
                        file, to.resolve(file.getFileName()), StandardCopyOption.REPLACE_EXISTING);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static ProviderAnswer events(String body) {
        return new ProviderAnswer.Plain(200, Map.of("content-type", "text/event-stream"), body);
    }
}
