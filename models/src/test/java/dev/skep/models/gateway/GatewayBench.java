package dev.skep.models.gateway;

import dev.skep.agents.AgentTables;
import dev.skep.agents.cost.Cost;
import dev.skep.agents.cost.CostStore;
import dev.skep.agents.cost.CostSummary;
import dev.skep.agents.session.SessionKey;
import dev.skep.directory.HostTable;
import dev.skep.directory.host.HostKind;
import dev.skep.directory.host.LocalHost;
import dev.skep.kernel.id.AgentId;
import dev.skep.kernel.id.UlidSource;
import dev.skep.kernel.row.SyncTable;
import dev.skep.models.money.Budget;
import dev.skep.models.money.Dollars;
import dev.skep.models.money.OpenCallStore;
import dev.skep.models.money.PaidCalls;
import dev.skep.models.money.SpendLimit;
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
import dev.skep.testkit.provider.ProviderScript;
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
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/** A gateway on real sockets with a real database, in front of a provider that the test plays. */
final class GatewayBench implements AutoCloseable {
    static final InstantSource CLOCK = Clock.systemUTC();
    static final String TOKEN = "agent-token-1";
    static final String KEY = "sk-provider-0123456789abcdef";

    /** The wires with what each test needs to ask on them. */
    enum Asked {
        ANTHROPIC("claude", "/gateway/anthropic/v1/messages"),
        CHAT("gpt", "/gateway/openai/v1/chat/completions"),
        RESPONSES("gpt", "/gateway/openai/v1/responses"),
        GOOGLE("gemini", "/gateway/google/v1beta/models/gemini:streamGenerateContent?alt=sse");

        final String model;
        final String path;

        Asked(String model, String path) {
            this.model = model;
            this.path = path;
        }

        /** A small request that streams. */
        String ask(String text) {
            String quoted = "\"" + text + "\"";
            return switch (this) {
                case ANTHROPIC ->
                        "{\"model\":\"claude\",\"max_tokens\":1000,\"stream\":true,\"messages\":[{\"role\":\"user\",\"content\":%s}]}"
                                .formatted(quoted);
                case CHAT ->
                        "{\"model\":\"gpt\",\"max_completion_tokens\":1000,\"stream\":true,\"stream_options\":{\"include_usage\":true},\"messages\":[{\"role\":\"user\",\"content\":%s}]}"
                                .formatted(quoted);
                case RESPONSES ->
                        "{\"model\":\"gpt\",\"max_output_tokens\":1000,\"stream\":true,\"store\":false,\"input\":[{\"role\":\"user\",\"content\":%s}]}"
                                .formatted(quoted);
                case GOOGLE ->
                        "{\"contents\":[{\"role\":\"user\",\"parts\":[{\"text\":%s}]}],\"generationConfig\":{\"maxOutputTokens\":1000}}"
                                .formatted(quoted);
            };
        }

        String bare(String text) {
            return ask(text).replace("\"stream\":true", "\"stream\":false");
        }
    }

    /** Remembers what it is told. */
    static final class Listener implements GatewayListener {
        final SessionKey session;
        final List<Cost> booked = new CopyOnWriteArrayList<>();
        final List<String> refused = new CopyOnWriteArrayList<>();

        Listener(SessionKey session) {
            this.session = session;
        }

        @Override
        public SessionKey session() {
            return session;
        }

        @Override
        public void booked(Cost cost) {
            booked.add(cost);
        }

        @Override
        public void refused(String why, Instant until) {
            refused.add(why);
        }
    }

    final Path dir;
    final Database database;
    final LocalHost host;
    final CostStore costs;
    final HostLeases leases;
    final OpenCallStore openCalls;
    final Budget budget;
    final FakeProvider provider;
    final ConfiguredModels models;
    final ModelGateway gateway;
    final LoopbackServer server;
    final UlidSource ids = new UlidSource(CLOCK, new Random());
    final AgentId agent = new AgentId(ids.next());
    final Listener listener = new Listener(new SessionKey(agent, ids.next(), 1));
    final HttpClient http = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    GatewayBench(Path dir, @Nullable String limit, ProviderScript script) throws IOException {
        this(dir, limit, null, script);
    }

    GatewayBench(Path dir, @Nullable String limit, @Nullable String total, ProviderScript script)
            throws IOException {
        this.dir = dir;
        this.provider = new FakeProvider(script);
        database = Databases.open(new DatabaseUrl.Sqlite(dir.resolve("runner.db")), CLOCK);
        List<SyncTable> tables = new ArrayList<>(AgentTables.ALL);
        tables.add(HostTable.HOSTS);
        host =
                LocalHost.open(
                        database,
                        new SyncTables(tables),
                        new FeedClock(CLOCK, new Random()),
                        ids,
                        CLOCK,
                        new SecureRandom(),
                        new LocalHost.Config(dir, "host-1", HostKind.RUNNER));
        costs = new CostStore(database, host.ownRowWriter());
        openCalls = new OpenCallStore(database);
        openCalls.settleInterrupted(host.principal(), costs);
        leases = HostLeases.open(database, ids, MachineClock.open(CLOCK));
        budget = new Budget(costs, CLOCK, total == null ? null : limit(total), leases);
        if (limit != null) {
            budget.limit(agent, limit(limit));
        }
        Files.writeString(dir.resolve("models.yaml"), table(provider.address()));
        models =
                new ConfiguredModels(
                        () -> ModelTable.read(dir.resolve("models.yaml")),
                        name -> name.equals("REAL_KEY") ? Optional.of(KEY) : Optional.empty(),
                        CLOCK);
        gateway =
                new ModelGateway(
                        models,
                        new PaidCalls(database, budget, openCalls, costs, ids, CLOCK),
                        CLOCK);
        server = new LoopbackServer(Map.of(ModelGateway.PATH, gateway));
        server.start();
    }

    static SpendLimit limit(String dollars) {
        return new SpendLimit(Dollars.parse(dollars), Duration.ofHours(1));
    }

    private static String table(String address) {
        StringBuilder yaml = new StringBuilder("models:\n");
        entry(yaml, "claude", "anthropic", address + "/v1", "REAL_KEY", "reasoning: budget");
        entry(yaml, "gpt", "openai", address + "/v1", "REAL_KEY", "reasoning: effort");
        entry(yaml, "gemini", "google", address + "/v1beta", "REAL_KEY", "reasoning: effort");
        entry(yaml, "thinker", "google", address + "/v1beta", "none", "reasoning: budget");
        entry(yaml, "local", "openai_compatible", address + "/v1", "none", "tools: true");
        entry(yaml, "named", "anthropic", address + "/v1", "none", "model: their-name");
        entry(yaml, "keyless", "anthropic", address + "/v1", "NO_SUCH_KEY", "tools: true");
        yaml.append(
                "  - { name: unpriced, provider: anthropic, url: '%s/v1', key: REAL_KEY, context_tokens: 200000 }\n"
                        .formatted(address));
        yaml.append(
                "  - { name: free, provider: anthropic, url: '%s/v1', key: none, context_tokens: 200000 }\n"
                        .formatted(address));
        return yaml.toString();
    }

    private static void entry(
            StringBuilder yaml, String name, String provider, String url, String key, String more) {
        yaml.append(
                "  - { name: %s, provider: %s, url: '%s', key: %s, context_tokens: 200000, max_output_tokens: 8000, prices: { input: 3, output: 15, cache_read: 0.3, cache_write: 3.75 }, %s }\n"
                        .formatted(name, provider, url, key, more));
    }

    void admit(RefusalStyle form, @Nullable String model) {
        admit(TOKEN, agent, form, model, listener);
    }

    void admit(
            String token,
            AgentId who,
            RefusalStyle form,
            @Nullable String model,
            GatewayListener told) {
        gateway.admit(token, new GatewayAccount(who, host.principal(), "dora", model, form, told));
    }

    HttpRequest.Builder request(String path, String body) {
        return HttpRequest.newBuilder(URI.create(server.address() + path))
                .header("content-type", "application/json")
                .header("authorization", "Bearer " + TOKEN)
                .timeout(Duration.ofSeconds(60))
                .POST(HttpRequest.BodyPublishers.ofString(body));
    }

    HttpResponse<String> post(String path, String body) throws Exception {
        return http.send(request(path, body).build(), HttpResponse.BodyHandlers.ofString());
    }

    HttpResponse<InputStream> open(String path, String body) throws Exception {
        return http.send(request(path, body).build(), HttpResponse.BodyHandlers.ofInputStream());
    }

    long booked() {
        return costs.summarize(host.principal(), CostSummary.By.MODEL, null, null).stream()
                .mapToLong(CostSummary::micros)
                .sum();
    }

    long openCalls() {
        return database.read(
                snapshot ->
                        snapshot.list(
                                        "SELECT count(*) AS n FROM open_calls",
                                        row -> row.number("n"))
                                .getFirst());
    }

    @Override
    public void close() {
        server.close();
        gateway.close();
        models.close();
        provider.close();
        http.close();
        database.close();
    }
}
