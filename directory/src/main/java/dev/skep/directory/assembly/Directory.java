package dev.skep.directory.assembly;

import dev.skep.directory.audit.AuditStore;
import dev.skep.directory.enrolment.HubDoor;
import dev.skep.directory.host.HostKind;
import dev.skep.directory.host.LocalHost;
import dev.skep.directory.key.KeyStore;
import dev.skep.directory.operator.OperatorStore;
import dev.skep.directory.operator.Operators;
import dev.skep.directory.operator.SessionStore;
import dev.skep.directory.operator.SignIn;
import dev.skep.directory.org.OrgStore;
import dev.skep.directory.routes.AuditRoutes;
import dev.skep.directory.routes.EnrolmentRoutes;
import dev.skep.directory.routes.KeyRoutes;
import dev.skep.directory.routes.LinkRoutes;
import dev.skep.directory.routes.OperatorRoutes;
import dev.skep.directory.routes.OrgRoutes;
import dev.skep.directory.routes.SessionRoutes;
import dev.skep.directory.secret.Passwords;
import dev.skep.directory.secret.Secrets;
import dev.skep.kernel.event.EventBus;
import dev.skep.kernel.id.UlidSource;
import dev.skep.kernel.identity.Principal;
import dev.skep.store.Database;
import dev.skep.transport.route.Route;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.stream.Stream;

/**
 * Who is who in one database: opened after its {@link LocalHost}. On a hub it also lets hosts in.
 */
public final class Directory implements AutoCloseable {
    private final Database database;
    private final LocalHost host;
    private final InstantSource clock;
    private final LongSupplier nanoTime;
    private final AuditStore audit;
    private final OrgStore orgs = new OrgStore();
    private final KeyStore keys;
    private final SessionStore sessions;
    private final Passwords passwords;
    private final Operators operators;
    private final SignIn signIn;
    private final HubDoor door;
    private final KeyRoutes.AgentLookup agents;
    private final Function<Principal, Map<String, List<String>>> allows;

    /**
     * What is set from outside.
     *
     * @param sharedKey HUB_ACCESS_KEY, which lets hosts into the default org
     * @param cores how many there are, of which passwords may take half
     * @param allows by its id what each host lets this hub do, as far as it has said
     */
    public record Config(
            Optional<String> sharedKey,
            int cores,
            KeyRoutes.AgentLookup agents,
            Function<Principal, Map<String, List<String>>> allows) {
        @Override
        public String toString() {
            return "directory";
        }
    }

    /**
     * What the machine gives: time, ids, randomness.
     *
     * @param clock for people
     * @param steady what sessions, tokens and links expire by
     */
    public record Sources(
            UlidSource ids,
            InstantSource clock,
            InstantSource steady,
            LongSupplier nanoTime,
            SecureRandom random) {}

    public Directory(
            Database database, LocalHost host, EventBus eventBus, Sources sources, Config config) {
        this.database = database;
        this.host = host;
        this.clock = sources.clock();
        this.nanoTime = sources.nanoTime();
        this.agents = config.agents();
        this.allows = config.allows();
        Secrets secrets = new Secrets(sources.random());
        this.audit = new AuditStore(sources.ids(), clock);
        this.keys = new KeyStore(sources.ids(), clock, secrets, audit);
        this.sessions = new SessionStore(sources.ids(), clock, sources.steady(), secrets);
        this.passwords = new Passwords(sources.random(), config.cores());
        OperatorStore store = new OperatorStore(sources.ids(), clock, audit);
        this.operators = new Operators(database, store, sessions, passwords);
        this.signIn =
                new SignIn(database, store, sessions, passwords, audit, sources.steady(), nanoTime);
        this.door =
                HubDoor.of(
                        database,
                        host,
                        sources.ids(),
                        clock,
                        sources.steady(),
                        sources.random(),
                        eventBus,
                        audit,
                        keys,
                        config.sharedKey());
    }

    public LocalHost host() {
        return host;
    }

    /** For other features' changes: each goes into the log in its own transaction. */
    public AuditStore audit() {
        return audit;
    }

    public KeyStore keys() {
        return keys;
    }

    public Operators operators() {
        return operators;
    }

    public HubDoor door() {
        return door;
    }

    public List<Route> routes() {
        Stream<Route.Source> everywhere =
                Stream.of(
                        new SessionRoutes(signIn, operators),
                        new OperatorRoutes(operators),
                        new KeyRoutes(database, keys, agents, operators, clock),
                        new AuditRoutes(database, audit),
                        new OrgRoutes(database, orgs, audit, clock));
        Stream<Route.Source> onHubs =
                host.kind() == HostKind.HUB
                        ? Stream.of(
                                new EnrolmentRoutes(door.hosts(), door.links(), allows),
                                new LinkRoutes(
                                        host,
                                        door.challenges(),
                                        door.enrolment(),
                                        door.connecting(),
                                        nanoTime))
                        : Stream.of();
        return Stream.concat(everywhere, onHubs)
                .flatMap(source -> source.routes().stream())
                .toList();
    }

    /**
     * Tells callers apart by what this database knows.
     *
     * @param adminSecret what the command line of this machine shows to the running process
     */
    public DirectoryAuthentication authentication(Optional<String> adminSecret) {
        return new DirectoryAuthentication(
                database, orgs, sessions, keys, operators, door, adminSecret);
    }

    @Override
    public void close() {
        passwords.close();
    }
}
