package dev.skep.benchmark.runner;

import dev.skep.agents.AgentTables;
import dev.skep.agents.cost.Cost;
import dev.skep.agents.cost.CostStore;
import dev.skep.agents.session.SessionKey;
import dev.skep.directory.HostTable;
import dev.skep.directory.host.HostKind;
import dev.skep.directory.host.LocalHost;
import dev.skep.kernel.id.AgentId;
import dev.skep.kernel.id.UlidSource;
import dev.skep.kernel.row.SyncTable;
import dev.skep.models.gateway.GatewayAccount;
import dev.skep.models.gateway.GatewayListener;
import dev.skep.models.gateway.ModelGateway;
import dev.skep.models.gateway.RefusalStyle;
import dev.skep.models.money.Budget;
import dev.skep.models.money.OpenCallStore;
import dev.skep.models.money.PaidCalls;
import dev.skep.models.money.lease.HostLeases;
import dev.skep.models.table.ConfiguredModels;
import dev.skep.models.table.ModelTable;
import dev.skep.store.Database;
import dev.skep.store.DatabaseUrl;
import dev.skep.store.clock.MachineClock;
import dev.skep.store.engine.Databases;
import dev.skep.store.feed.FeedClock;
import dev.skep.store.feed.SyncTables;
import dev.skep.testkit.provider.FakeProvider;
import dev.skep.testkit.provider.ProviderAnswer;
import dev.skep.testkit.provider.ProviderUsage;
import dev.skep.transport.loopback.LoopbackServer;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Calls of a model through the gateway, with its budget and its costs on disk, and directly. */
final class GatewayCost implements AutoCloseable {
    /** The medians of both: milliseconds, or megabytes a second. */
    record Both(double through, double direct) {}

    private static final String TOKEN = "token-of-the-benchmark";
    private static final ProviderUsage USED = ProviderUsage.of(100, 20);
    private static final String ASKED =
            "{\"model\":\"coder\",\"max_completion_tokens\":1000,\"stream\":true,\"stream_options\":{\"include_usage\":true},\"messages\":[{\"role\":\"user\",\"content\":\"hi\"}]}";

    private final FakeProvider provider = new FakeProvider(_ -> ProviderAnswer.say("hi", USED));
    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final Database database;
    private final ConfiguredModels models;
    private final ModelGateway gateway;
    private final LoopbackServer server;

    GatewayCost(Path folder) throws IOException {
        InstantSource clock = InstantSource.system();
        var random = new SecureRandom();
        var ids = new UlidSource(clock, random);
        database = Databases.open(new DatabaseUrl.Sqlite(folder.resolve("runner.db")), clock);
        List<SyncTable> tables = new ArrayList<>(AgentTables.ALL);
        tables.add(HostTable.HOSTS);
        LocalHost host =
                LocalHost.open(
                        database,
                        new SyncTables(tables),
                        new FeedClock(clock, random),
                        ids,
                        clock,
                        random,
                        new LocalHost.Config(folder, "bench", HostKind.RUNNER));
        Files.writeString(
                folder.resolve("models.yaml"),
                """
                models:
                  - name: coder
                    provider: openai
                    url: %s/v1
                    key: none
                    context_tokens: 200_000
                    max_output_tokens: 8_000
                    prices: { input: 3, output: 15 }
                """
                        .formatted(provider.address()));
        models =
                new ConfiguredModels(
                        () -> ModelTable.read(folder.resolve("models.yaml")),
                        _ -> Optional.empty(),
                        clock);
        var costs = new CostStore(database, host.ownRowWriter());
        var budget =
                new Budget(
                        costs,
                        clock,
                        null,
                        HostLeases.open(database, ids, MachineClock.open(clock)));
        var paid = new PaidCalls(database, budget, new OpenCallStore(database), costs, ids, clock);
        gateway = new ModelGateway(models, paid, clock);
        var agent = new AgentId(ids.next());
        gateway.admit(
                TOKEN,
                new GatewayAccount(
                        agent,
                        host.principal(),
                        "bench",
                        null,
                        RefusalStyle.BY_WIRE,
                        new OneSession(new SessionKey(agent, ids.next(), 1))));
        server = new LoopbackServer(Map.of(ModelGateway.PATH, gateway));
        server.start();
    }

    /** Milliseconds until the first byte of the answer. */
    Both firstByte(int calls) throws IOException, InterruptedException {
        provider.follow(_ -> ProviderAnswer.say("Hello big world", USED));
        return alternating(calls, request -> answer(request).firstByteMillis());
    }

    /**
     * Megabytes a second of long answers.
     *
     * @param pause between the pieces of an answer
     */
    Both stream(int calls, int words, Duration pause) throws IOException, InterruptedException {
        String text = "word ".repeat(words);
        provider.follow(_ -> new ProviderAnswer.Reply(text, List.of(), USED, pause));
        return alternating(calls, request -> answer(request).megabytesPerSecond());
    }

    private interface Measured {
        double of(HttpRequest request) throws IOException, InterruptedException;
    }

    /** The first third of the calls warms up and is not counted. */
    private Both alternating(int calls, Measured measured)
            throws IOException, InterruptedException {
        HttpRequest through = request(server.address() + "/gateway/openai/v1/chat/completions");
        HttpRequest direct = request(provider.address() + "/v1/chat/completions");
        double[] throughs = new double[calls];
        double[] directs = new double[calls];
        for (int i = -calls / 3; i < calls; i++) {
            double one = measured.of(through);
            double other = measured.of(direct);
            if (i >= 0) {
                throughs[i] = one;
                directs[i] = other;
            }
        }
        return new Both(ManagedTurns.median(throughs), ManagedTurns.median(directs));
    }

    private static HttpRequest request(String address) {
        return HttpRequest.newBuilder(URI.create(address))
                .header("content-type", "application/json")
                .header("authorization", "Bearer " + TOKEN)
                .timeout(Duration.ofSeconds(60))
                .POST(HttpRequest.BodyPublishers.ofString(ASKED))
                .build();
    }

    private record Answer(double firstByteMillis, double megabytesPerSecond) {}

    private Answer answer(HttpRequest request) throws IOException, InterruptedException {
        long begun = System.nanoTime();
        HttpResponse<InputStream> got =
                client.send(request, HttpResponse.BodyHandlers.ofInputStream());
        try (InputStream in = got.body()) {
            if (got.statusCode() != 200 || in.read() < 0) {
                throw new IOException("the model answered with status " + got.statusCode());
            }
            double first = (System.nanoTime() - begun) / 1e6;
            long bytes = 1L + in.readAllBytes().length;
            return new Answer(first, bytes * 1e3 / (System.nanoTime() - begun));
        }
    }

    @Override
    public void close() {
        server.close();
        gateway.close();
        models.close();
        provider.close();
        client.close();
        database.close();
    }

    private record OneSession(SessionKey session) implements GatewayListener {
        @Override
        public void booked(Cost cost) {}

        @Override
        public void refused(String why, Instant until) {
            throw new IllegalStateException(why);
        }
    }
}
