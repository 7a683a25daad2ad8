package dev.skep.models.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.skep.agents.cost.CostSummary;
import dev.skep.agents.session.SessionKey;
import dev.skep.kernel.id.AgentId;
import dev.skep.models.Prices;
import dev.skep.models.Usage;
import dev.skep.models.gateway.GatewayBench.Asked;
import dev.skep.models.gateway.GatewayBench.Listener;
import dev.skep.models.money.Dollars;
import dev.skep.testkit.Eventually;
import dev.skep.testkit.provider.FakeProvider;
import dev.skep.testkit.provider.FakeWire;
import dev.skep.testkit.provider.ProviderAnswer;
import dev.skep.testkit.provider.ProviderCall;
import dev.skep.testkit.provider.ProviderScript;
import dev.skep.testkit.provider.ProviderUsage;
import java.io.IOException;
import java.io.InputStream;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Thirty-two programs at once against a provider that charges the most it can. */
final class SpendingThroughTheGatewayTest {
    private static final List<Asked> WIRES = List.of(Asked.values());
    private static final int CLIENTS = 32;
    private static final int CALLS = 8;

    /** What providers put before a prompt and do not show. */
    private static final int UNSEEN = 900;

    private static final String IMAGE = "iVBORw0KGgo".repeat(4_000);
    private static final int IMAGE_TOKENS = 4_900;
    private static final Prices PRICES = new Prices(3_000_000, 15_000_000, 300_000, 3_750_000);
    private static final String TOTAL = "5.00";

    @TempDir Path dir;

    @ParameterizedTest
    @ValueSource(longs = {1, 2})
    void what_is_charged_is_booked_and_what_is_booked_is_within_every_limit(long seed)
            throws Exception {
        try (GatewayBench bench = new GatewayBench(dir, null, TOTAL, greedy(seed));
                ExecutorService clients = Executors.newVirtualThreadPerTaskExecutor()) {
            Map<AgentId, String> limits = new HashMap<>();
            var random = new SplittableRandom(seed);
            for (int each = 0; each < 4; each++) {
                AgentId agent = new AgentId(bench.ids.next());
                String limit = "1.%d".formatted(20 + random.nextInt(80));
                limits.put(agent, limit);
                bench.budget.limit(agent, GatewayBench.limit(limit));
                bench.admit(
                        "token-" + each,
                        agent,
                        RefusalStyle.BY_WIRE,
                        null,
                        new Listener(new SessionKey(agent, bench.ids.next(), 1)));
            }
            List<Future<Integer>> running = new ArrayList<>();
            for (int client = 0; client < CLIENTS; client++) {
                SplittableRandom own = random.split();
                running.add(clients.submit(() -> ask(bench, own)));
            }
            int answered = 0;
            for (Future<Integer> each : running) {
                answered += each.get();
            }
            Eventually.holds("no call is open", () -> bench.openCalls() == 0);
            long charged =
                    bench.provider.charged().stream()
                            .mapToLong(SpendingThroughTheGatewayTest::micros)
                            .sum();
            System.out.printf(
                    "seed %d: %d answers, charged %d, booked %d of %s%n",
                    seed, answered, charged, bench.booked(), TOTAL);
            assertThat(answered).isGreaterThan(4);
            assertThat(charged)
                    .as("seed %d", seed)
                    .isPositive()
                    .isLessThanOrEqualTo(bench.booked());
            assertThat(bench.booked()).isLessThanOrEqualTo(Dollars.parse(TOTAL).micros());
            for (Map.Entry<AgentId, String> each : limits.entrySet()) {
                long booked = booked(bench, each.getKey());
                long limit = Dollars.parse(each.getValue()).micros();
                assertThat(booked).isLessThanOrEqualTo(limit);
                assertThat(bench.budget.left(each.getKey()).orElseThrow())
                        .isEqualTo(
                                Math.min(
                                        limit - booked,
                                        Dollars.parse(TOTAL).micros() - bench.booked()));
            }
        }
    }

    private static ProviderScript greedy(long seed) {
        AtomicInteger asked = new AtomicInteger();
        return call -> {
            var random = new Random(seed + asked.incrementAndGet());
            ProviderUsage most = most(call);
            return switch (random.nextInt(10)) {
                case 0 -> ProviderAnswer.fail(429, "{\"error\":{\"message\":\"slow down\"}}");
                case 1 -> new ProviderAnswer.Cut("a little and then", most);
                default ->
                        new ProviderAnswer.Reply(
                                "some words of an answer",
                                List.of(),
                                most,
                                Duration.ofMillis(random.nextInt(3)));
            };
        };
    }

    /**
     * Every byte a token, written to the cache where that is charged, and all output there may be.
     */
    private static ProviderUsage most(ProviderCall call) {
        long images =
                ((long) call.text().length() - call.text().replace(IMAGE, "").length())
                        / IMAGE.length();
        long input = call.bytes() - images * IMAGE.length() + images * IMAGE_TOKENS + UNSEEN;
        long output = call.outputAtMost() * call.answers();
        return call.wire() == FakeWire.ANTHROPIC
                ? new ProviderUsage(0, 0, input, output)
                : ProviderUsage.of(input, output);
    }

    private static long micros(FakeProvider.Charged charged) {
        ProviderUsage used = charged.usage();
        int percent = charged.call().text().contains("\"priority\"") ? 250 : 100;
        return PRICES.cost(
                        new Usage(used.input(), used.output(), used.cacheRead(), used.cacheWrite()))
                * percent
                / 100;
    }

    private static int ask(GatewayBench bench, SplittableRandom random) throws Exception {
        int answered = 0;
        for (int call = 0; call < CALLS; call++) {
            Asked wire = WIRES.get(random.nextInt(WIRES.size()));
            String body = body(wire, random);
            String path =
                    random.nextInt(4) == 0
                            ? wire.path.replace("streamGenerateContent?alt=sse", "generateContent")
                            : wire.path;
            try {
                HttpResponse<InputStream> got =
                        bench.http.send(
                                bench.request(path, body)
                                        .setHeader(
                                                "authorization",
                                                "Bearer token-" + random.nextInt(4))
                                        .build(),
                                HttpResponse.BodyHandlers.ofInputStream());
                answered += got.statusCode() == 200 ? 1 : 0;
                try (InputStream in = got.body()) {
                    // Some leave in the middle.
                    in.readNBytes(random.nextInt(8) == 0 ? 30 : Integer.MAX_VALUE);
                }
            } catch (IOException cut) {
                answered++;
            }
        }
        return answered;
    }

    private static String body(Asked wire, SplittableRandom random) {
        String text = "dense 文 ".repeat(1 + random.nextInt(200));
        String body = random.nextInt(4) == 0 ? wire.bare(text) : wire.ask(text);
        body = body.replace(":1000", ":%d".formatted(200 + random.nextInt(40_000)));
        return switch (wire) {
            case ANTHROPIC ->
                    random.nextInt(3) > 0
                            ? body
                            : body.replace(
                                    "\"content\":\"",
                                    "\"content\":[{\"type\":\"image\",\"source\":{\"type\":\"base64\",\"media_type\":\"image/png\",\"data\":\"%s\"}}]},{\"role\":\"user\",\"content\":\""
                                            .formatted(IMAGE));
            case CHAT -> "{\"n\":%d,".formatted(1 + random.nextInt(3)) + body.substring(1);
            case RESPONSES ->
                    random.nextInt(3) > 0
                            ? body.replaceFirst("\"max_output_tokens\":[0-9]+,", "")
                            : "{\"service_tier\":\"priority\"," + body.substring(1);
            case GOOGLE ->
                    body.replace(
                            "\"generationConfig\":{",
                            "\"generationConfig\":{\"thinkingConfig\":{\"thinkingBudget\":%d},"
                                    .formatted(random.nextInt(3) * 4_000));
        };
    }

    private static long booked(GatewayBench bench, AgentId agent) {
        return bench
                .costs
                .summarize(bench.host.principal(), CostSummary.By.MODEL, agent, null)
                .stream()
                .mapToLong(CostSummary::micros)
                .sum();
    }
}
