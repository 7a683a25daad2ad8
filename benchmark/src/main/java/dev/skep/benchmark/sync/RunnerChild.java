package dev.skep.benchmark.sync;

import dev.skep.agents.AgentTables;
import dev.skep.benchmark.store.LogRows;
import dev.skep.directory.host.HostKind;
import dev.skep.directory.link.EnrolledHub;
import dev.skep.directory.link.HubSession;
import dev.skep.directory.link.HubUrl;
import dev.skep.kernel.consent.Consents;
import dev.skep.kernel.consent.HubConsent;
import dev.skep.kernel.event.EventBus;
import dev.skep.kernel.identity.Principal;
import dev.skep.kernel.row.SyncTable;
import dev.skep.store.feed.FeedPage;
import dev.skep.store.feed.FeedScope;
import dev.skep.sync.SyncLimits;
import dev.skep.sync.link.RunnerSyncProtocol;
import dev.skep.sync.runner.JoinKind;
import dev.skep.sync.runner.RunnerLink.Phase;
import dev.skep.sync.sql.SqlSyncStore;
import dev.skep.transport.client.HttpApiClient;
import dev.skep.transport.link.LinkDialer;
import dev.skep.transport.link.LinkProtocols;
import dev.skep.transport.socket.SocketDialer;
import dev.skep.wire.Frame;
import dev.skep.wire.Message.CatchUpResponse;
import dev.skep.wire.MessageRows;
import java.net.http.HttpClient;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/** A runner of the benchmark: the product's store and link, with rows written on command. */
final class RunnerChild implements AutoCloseable {
    private static final String TIME = "2027-01-01T00:00:00.000000Z";
    private static final int BATCH = 1_000;
    private static final String CHARACTERS =
            "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

    private final BenchBase base;
    private final ArrivalTimes store;
    private final RunnerSyncProtocol sync;
    private final HttpClient client = HttpApiClient.newClient();
    private final SocketDialer sockets = LinkDialer.sockets();
    private final HubUrl hub;
    private @Nullable LinkDialer dialer;
    private int written;

    private RunnerChild(Path folder, String name, int port) {
        this.base = BenchBase.open(folder, name, HostKind.RUNNER);
        this.store =
                new ArrivalTimes(
                        SqlSyncStore.ofRunner(
                                base.database(),
                                base.schema(),
                                base.feed(),
                                new EventBus(),
                                base.clock()));
        sockets.start();
        this.hub = HubUrl.of("http://127.0.0.1:" + port, false);
        this.sync =
                new RunnerSyncProtocol(
                        new Principal.Host(base.host().org(), base.host().id()),
                        JoinKind.AS_RUNNER,
                        base.schema(),
                        SyncLimits.DEFAULT,
                        store,
                        base.feed(),
                        base.clock(),
                        base.clock());
        sync.start();
        put(AgentTables.USERS, List.<@Nullable Object[]>of(agent(agent())));
    }

    /** The one agent of this host, which writes all rows; it has its host's id. */
    private String agent() {
        return base.host().id().value();
    }

    private static @Nullable Object[] agent(String id) {
        return AgentTables.USERS.values(
                "id, username, kind, name_conflict, created_at, updated_at",
                id,
                "agent-" + id,
                "agent",
                0L,
                TIME,
                TIME);
    }

    public static void main(String[] arguments) throws Exception {
        try (RunnerChild runner =
                new RunnerChild(
                        Path.of(arguments[0]), arguments[1], Integer.parseInt(arguments[2]))) {
            Commands.serve(runner::answer);
        }
    }

    private String answer(String... words) throws Exception {
        return switch (words[0]) {
            case "id" -> base.host().id().value();
            case "head" -> Long.toString(base.head());
            case "count" -> Long.toString(base.count(words[1]));
            case "arrived" -> Integer.toString(store.count());
            case "latencies" -> store.take();
            case "logs" -> done(() -> logs(Integer.parseInt(words[1])));
            case "mails" -> done(() -> mails(Integer.parseInt(words[1])));
            case "mail" -> done(this::mail);
            case "letters" -> done(() -> incompressibleMails(Integer.parseInt(words[1])));
            case "compressed" -> Long.toString(compressed());
            case "link" -> done(this::link);
            case "unlink" -> done(this::unlink);
            case "caught_up" -> Long.toString(caughtUp());
            default -> throw new IllegalArgumentException(words[0]);
        };
    }

    private static String done(Runnable work) {
        work.run();
        return "done";
    }

    private void link() {
        dialer =
                new LinkDialer(
                        sockets,
                        new EnrolledHub(session(), Optional.empty(), sync::isLinked),
                        new LinkProtocols<>(List.of(sync.with(HubConsent.toAll("hub")))),
                        base.clock(),
                        new Random());
        dialer.start();
    }

    private HubSession session() {
        return new HubSession(
                base.host(),
                hub,
                Optional.of(BenchBase.ACCESS_KEY),
                Consents.USUAL,
                client,
                base.clock());
    }

    private void unlink() {
        if (dialer != null) {
            dialer.close();
            dialer = null;
        }
    }

    /** Dials, waits until this runner has caught up, and returns how many nanoseconds it took. */
    private long caughtUp() throws InterruptedException {
        long start = System.nanoTime();
        link();
        while (!isLive()) {
            Thread.sleep(1);
        }
        return System.nanoTime() - start;
    }

    private boolean isLive() {
        return base.host().keys().hubs().stream()
                .flatMap(joined -> sync.status(joined.hubId()).stream())
                .anyMatch(syncStatus -> syncStatus.phase() == Phase.LIVE);
    }

    private void logs(int rows) {
        for (int at = 0; at < rows; at += BATCH) {
            put(
                    AgentTables.CONTEXT_LOG,
                    LogRows.batch(written + at, Math.min(BATCH, rows - at), agent()));
        }
        written += rows;
    }

    /** Mails to two recipients each, as fast as they can be stored. */
    private void mails(int count) {
        for (int at = 0; at < count; at += BATCH) {
            List<@Nullable Object[]> mails = new ArrayList<>();
            List<@Nullable Object[]> recipients = new ArrayList<>();
            for (int i = written + at; i < written + at + BATCH; i++) {
                String id = "01BENCHMARKMAIL%011d".formatted(i);
                mails.add(mail(id, "0"));
                recipients.add(recipient(id, "A"));
                recipients.add(recipient(id, "B"));
            }
            base.database()
                    .write(
                            tx -> {
                                base.host()
                                        .ownRowWriter()
                                        .putAll(tx, AgentTables.MAIL_MESSAGES, 0, mails);
                                base.host()
                                        .ownRowWriter()
                                        .putAll(tx, AgentTables.MAIL_RECIPIENTS, 0, recipients);
                                return mails.size();
                            });
        }
        written += count;
    }

    /** Mails of 1,000 characters that hardly compress. */
    private void incompressibleMails(int count) {
        Random random = new Random(count);
        List<@Nullable Object[]> mails = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            StringBuilder body = new StringBuilder();
            random.ints(1_000, 0, CHARACTERS.length())
                    .mapToObj(CHARACTERS::charAt)
                    .forEach(body::append);
            String id = "01BENCHMARKLETTER%09d".formatted(written++);
            mails.add(
                    AgentTables.MAIL_MESSAGES.values(
                            "id, from_user_id, subject, body, created_at, updated_at",
                            id,
                            agent(),
                            "0",
                            body.toString(),
                            TIME,
                            TIME));
        }
        put(AgentTables.MAIL_MESSAGES, mails);
    }

    /** How many bytes all rows of this host are in the largest pages. */
    private long compressed() {
        FeedScope own = new FeedScope.OwnedBy(base.host().org(), base.host().id());
        long bytes = 0;
        for (long after = 0; after < base.head(); ) {
            long from = after;
            FeedPage page = store.read(db -> db.page(own, from, SyncLimits.DEFAULT.page()));
            MessageRows rows = MessageRows.of(page.tables());
            bytes += Frame.of(new CatchUpResponse(rows, 0, 0, false, false)).size();
            after = page.upto();
        }
        return bytes;
    }

    /** One mail whose subject is the time just before it is stored. */
    private void mail() {
        String id = "01BENCHMARKONE%012d".formatted(written++);
        List<@Nullable Object[]> rows = new ArrayList<>();
        base.database()
                .write(
                        tx -> {
                            // As late as can be: the rest of the commit counts against us.
                            rows.add(mail(id, Long.toString(System.nanoTime())));
                            base.host()
                                    .ownRowWriter()
                                    .putAll(tx, AgentTables.MAIL_MESSAGES, 0, rows);
                            return id;
                        });
    }

    private @Nullable Object[] mail(String id, String subject) {
        return AgentTables.MAIL_MESSAGES.values(
                "id, from_user_id, subject, body, created_at, updated_at",
                id,
                agent(),
                subject,
                "Some lines of text.",
                TIME,
                TIME);
    }

    private static @Nullable Object[] recipient(String mail, String which) {
        return AgentTables.MAIL_RECIPIENTS.values(
                "id, message_id, user_id, type, created_at, updated_at",
                mail.replace("MAIL", "RCP" + which),
                mail,
                "01BENCHMARKUSER0000000000" + which,
                "to",
                TIME,
                TIME);
    }

    private void put(SyncTable table, List<@Nullable Object[]> rows) {
        base.database()
                .write(
                        tx -> {
                            base.host().ownRowWriter().putAll(tx, table, 0, rows);
                            return rows.size();
                        });
    }

    @Override
    public void close() {
        unlink();
        sync.close();
        sockets.close();
        client.shutdownNow();
        base.close();
    }
}
