package dev.skep.directory.host;

import dev.skep.directory.HostRow;
import dev.skep.directory.HostTable;
import dev.skep.directory.org.DefaultOrg;
import dev.skep.directory.secret.SigningKey;
import dev.skep.kernel.consent.Consent;
import dev.skep.kernel.consent.Consents;
import dev.skep.kernel.error.ErrorCode;
import dev.skep.kernel.error.SkepException;
import dev.skep.kernel.id.HostId;
import dev.skep.kernel.id.OrgId;
import dev.skep.kernel.id.UlidSource;
import dev.skep.kernel.identity.Principal;
import dev.skep.store.Database;
import dev.skep.store.SqlDialect;
import dev.skep.store.Transaction;
import dev.skep.store.feed.FeedClock;
import dev.skep.store.feed.OwnRowWriter;
import dev.skep.store.feed.SyncTables;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * This process as a host of its org: opened once per database at start, before anything that owns
 * rows. Its values do not change while the process lives, except the keys, which rotate.
 */
public final class LocalHost {
    private static final Logger LOG = LoggerFactory.getLogger(LocalHost.class);

    private final OrgId org;
    private final HostId id;
    private final String name;
    private final HostKind kind;
    private final MachineInfo machine;
    private final HostKeys keys;
    private final AwaitedHubs awaited;
    private final OwnRowWriter ownRowWriter;
    private final Database database;
    private final InstantSource clock;

    private LocalHost(
            Database database,
            InstantSource clock,
            OwnRowWriter ownRowWriter,
            String name,
            HostKind kind,
            MachineInfo machine,
            HostKeys keys) {
        this.database = database;
        this.clock = clock;
        this.org = ownRowWriter.org();
        this.id = ownRowWriter.self();
        this.name = name;
        this.kind = kind;
        this.machine = machine;
        this.keys = keys;
        this.awaited = new AwaitedHubs(database, keys);
        this.ownRowWriter = ownRowWriter;
    }

    /**
     * What a database needs to know about the process that opens it.
     *
     * @param keeps false for a host that is gone with its process and writes nothing
     */
    public record Config(Path dataDir, String name, HostKind kind, boolean keeps) {
        public Config(Path dataDir, String name, HostKind kind) {
            this(dataDir, name, kind, true);
        }

        private HostKeyFile keyFile() {
            return keeps ? HostKeyFile.in(dataDir, kind) : HostKeyFile.inMemory();
        }

        private MachineInfo machine(UlidSource ids) {
            return keeps ? MachineInfo.of(dataDir, ids) : MachineInfo.ofProcess(dataDir, ids);
        }
    }

    /**
     * Finds or makes this database's host, lifts {@code ids} above what is stored, opens the feed's
     * epoch, and brings the host's own row up to date (an unchanged row is not written again).
     */
    public static LocalHost open(
            Database database,
            SyncTables tables,
            FeedClock feed,
            UlidSource ids,
            InstantSource clock,
            SecureRandom random,
            Config config) {
        ids.startAbove(database.read(s -> new NewestIdStore(tables).newest(s, clock.instant())));
        feed.start(database);
        HostKeyFile file = config.keyFile();
        HostKeyFile.Content content = identity(database, file, ids, random);
        MachineInfo machine = config.machine(ids);
        LocalHost host =
                new LocalHost(
                        database,
                        clock,
                        new OwnRowWriter(tables, feed, DefaultOrg.DEFAULT, content.host()),
                        config.name(),
                        config.kind(),
                        machine,
                        new HostKeys(file, content, random));
        host.putRow();
        host.keys.decide(
                hub -> hub.allows().or(() -> Optional.of(asBefore(config.dataDir(), hub))));
        return host;
    }

    /**
     * The consents of a hub that was joined before consents existed: what it could do then, so that
     * an update stops nothing.
     */
    private static Consents asBefore(Path dataDir, JoinedHub hub) {
        boolean own =
                HostKeyFile.in(dataDir, HostKind.HUB)
                        .read()
                        .filter(content -> content.host().value().equals(hub.hubId()))
                        .isPresent();
        if (own) {
            return Consents.OF_OWN_HUB;
        }
        return Files.exists(dataDir.resolve("allowed-commands"))
                ? Consents.USUAL.and(Consent.JOBS)
                : Consents.USUAL;
    }

    private static HostKeyFile.Content identity(
            Database database, HostKeyFile file, UlidSource ids, SecureRandom random) {
        LocalHostStore store = new LocalHostStore();
        Optional<HostKeyFile.Content> kept = file.read();
        Optional<HostId> self = database.read(store::self);
        if (self.isPresent() && kept.isPresent()) {
            return matching(database, file, self.get(), kept.get());
        }
        if (self.isPresent() && database.dialect() == SqlDialect.POSTGRES) {
            throw new SkepException(
                    ErrorCode.HOST_KEY_MISSING,
                    "%s belongs to host %s, whose key is not at %s; copy it from the hub that first used this database"
                            .formatted(database.name(), self.get(), file.path()));
        }
        HostKeyFile.Content content =
                kept.orElseGet(
                        () -> made(file, self.orElseGet(() -> new HostId(ids.next())), random));
        if (self.isPresent()) {
            LOG.warn(
                    "made a new host key host={} file={} reason=missing",
                    content.host(),
                    file.path());
        } else {
            List<JoinedHub> before = kept.map(HostKeyFile.Content::hubs).orElse(List.of());
            HostId first =
                    database.write(
                            transaction -> claim(transaction, store, content.host(), before));
            return matching(database, file, first, content);
        }
        return content;
    }

    /** Of two processes that start on one new database, the first names its host. */
    private static HostId claim(
            Transaction transaction, LocalHostStore store, HostId host, List<JoinedHub> before) {
        Optional<HostId> already = store.self(transaction);
        if (already.isEmpty()) {
            store.setSelf(transaction, host);
            AwaitedHubs.begin(transaction, before);
        }
        return already.orElse(host);
    }

    private static HostKeyFile.Content matching(
            Database database, HostKeyFile file, HostId self, HostKeyFile.Content content) {
        if (!content.host().equals(self)) {
            throw new SkepException(
                    ErrorCode.HOST_KEY_MISSING,
                    "%s belongs to host %s, but %s to host %s; put the key file of %s there"
                            .formatted(database.name(), self, file.path(), content.host(), self));
        }
        return content;
    }

    private static HostKeyFile.Content made(HostKeyFile file, HostId id, SecureRandom random) {
        HostKey key = new HostKey(1, SigningKey.generate(random));
        HostKeyFile.Content content = new HostKeyFile.Content(id, List.of(key), List.of());
        file.write(content);
        return content;
    }

    /**
     * Creates the next key and announces it to the fleet; hubs receive it at the next connection.
     */
    public void rotateKey() {
        keys.rotate();
        putRow();
    }

    private void putRow() {
        database.write(
                transaction -> {
                    putRow(transaction, clock.instant());
                    return id;
                });
    }

    /** Writes this host's row if anything in it changed, for example its key. */
    private void putRow(Transaction transaction, Instant now) {
        Optional<HostRow> stored = new LocalHostStore().row(transaction, id);
        boolean renamed = stored.filter(row -> !row.name().equals(name)).isPresent();
        HostRow row =
                new HostRow(
                        id,
                        name,
                        kind.stored(),
                        keys.newest().publicKey(),
                        machine.id(),
                        !renamed && stored.filter(HostRow::nameConflict).isPresent(),
                        stored.map(HostRow::healedEpoch).orElse(null),
                        null,
                        stored.map(HostRow::floors).orElse(null),
                        stored.map(HostRow::createdAt).orElse(now));
        if (!stored.equals(Optional.of(row))) {
            ownRowWriter.put(transaction, HostTable.ROWS, row, now);
        }
    }

    public OrgId org() {
        return org;
    }

    public HostId id() {
        return id;
    }

    public String name() {
        return name;
    }

    public HostKind kind() {
        return kind;
    }

    public MachineInfo machine() {
        return machine;
    }

    public HostKeys keys() {
        return keys;
    }

    /** Hubs that have yet to give this host's rows back; none unless its database was lost. */
    public AwaitedHubs awaited() {
        return awaited;
    }

    /** Writes the rows this host owns; every feature of the process shares it. */
    public OwnRowWriter ownRowWriter() {
        return ownRowWriter;
    }

    /** This process acting for itself. */
    public Principal.Local principal() {
        return new Principal.Local(org);
    }
}
