package dev.skep.directory.assembly;

import dev.skep.directory.audit.AuditStore;
import dev.skep.directory.enrolment.HostAcceptor;
import dev.skep.directory.host.HostKind;
import dev.skep.directory.host.LocalHost;
import dev.skep.directory.key.ApiKeyStore;
import dev.skep.directory.oidc.ProviderSignIn;
import dev.skep.directory.operator.OperatorService;
import dev.skep.directory.operator.People;
import dev.skep.directory.org.OrgStore;
import dev.skep.directory.routes.ApiKeyRoutes;
import dev.skep.directory.routes.AuditRoutes;
import dev.skep.directory.routes.EnrolmentRoutes;
import dev.skep.directory.routes.HostTokenRoutes;
import dev.skep.directory.routes.OperatorRoutes;
import dev.skep.directory.routes.OrgRoutes;
import dev.skep.directory.routes.PersonRoutes;
import dev.skep.directory.routes.ProviderRoutes;
import dev.skep.directory.routes.SessionRoutes;
import dev.skep.directory.secret.OpenedOnce;
import dev.skep.directory.secret.PasswordHasher;
import dev.skep.directory.secret.SealedSecrets;
import dev.skep.directory.secret.SecretGenerator;
import dev.skep.kernel.event.EventBus;
import dev.skep.kernel.id.UlidSource;
import dev.skep.kernel.identity.Principal;
import dev.skep.store.Database;
import dev.skep.transport.route.Route;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.stream.Stream;

/**
 * Identities in one database: opened after its {@link LocalHost}. On a hub it also admits hosts.
 */
public final class Directory implements AutoCloseable {
    private final Database database;
    private final LocalHost host;
    private final InstantSource clock;
    private final LongSupplier nanoTime;
    private final AuditStore audit;
    private final OrgStore orgs = new OrgStore();
    private final ApiKeyStore keys;
    private final PasswordHasher passwordHasher;
    private final People people;
    private final ProviderSignIn providers;
    private final HostAcceptor acceptor;
    private final ApiKeyRoutes.AgentLookup agents;
    private final Function<Principal, Map<String, List<String>>> allows;

    /**
     * What is set from outside.
     *
     * @param sharedKey HUB_ACCESS_KEY, with which hosts enrol in the default org
     * @param cores how many there are, of which passwords may take half
     * @param allows by its id what each host lets this hub do, as far as reported
     * @param dataDir with {@code secrets.key}, which is made when needed, and {@code sign-in.json},
     *     which names identity providers
     */
    public record Config(
            Path dataDir,
            Optional<String> sharedKey,
            int cores,
            ApiKeyRoutes.AgentLookup agents,
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
        SecretGenerator secretGenerator = new SecretGenerator(sources.random());
        this.audit = new AuditStore(sources.ids(), clock);
        this.keys = new ApiKeyStore(sources.ids(), clock, secretGenerator, audit);
        this.passwordHasher = new PasswordHasher(sources.random(), config.cores());
        Path secretsKey = config.dataDir().resolve("secrets.key");
        OpenedOnce<SealedSecrets> secrets =
                new OpenedOnce<>(() -> SealedSecrets.open(secretsKey, sources.random()));
        this.people =
                People.of(
                        database,
                        audit,
                        new People.Tools(
                                sources.ids(),
                                clock,
                                sources.steady(),
                                nanoTime,
                                sources.random(),
                                passwordHasher,
                                secrets));
        this.providers =
                new ProviderSignIn(
                        config.dataDir().resolve("sign-in.json"),
                        secrets,
                        sources.random(),
                        clock,
                        sources.steady(),
                        nanoTime);
        this.acceptor =
                HostAcceptor.of(
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

    public ApiKeyStore keys() {
        return keys;
    }

    public OperatorService operatorService() {
        return people.operatorService();
    }

    public HostAcceptor acceptor() {
        return acceptor;
    }

    public List<Route> routes() {
        SessionRoutes sessionRoutes =
                new SessionRoutes(
                        people.signIn(), people.operatorService(), people.personService());
        Stream<Route.Source> everywhere =
                Stream.of(
                        sessionRoutes,
                        new PersonRoutes(people.personService(), sessionRoutes),
                        new ProviderRoutes(
                                providers,
                                people.identitySignIn(),
                                people.personService(),
                                sessionRoutes),
                        new OperatorRoutes(people.operatorService()),
                        new ApiKeyRoutes(database, keys, agents, people.operatorService(), clock),
                        new AuditRoutes(database, audit),
                        new OrgRoutes(database, orgs, audit, clock));
        Stream<Route.Source> onHubs =
                host.kind() == HostKind.HUB
                        ? Stream.of(
                                new EnrolmentRoutes(acceptor.hosts(), acceptor.links(), allows),
                                new HostTokenRoutes(
                                        host,
                                        acceptor.challenges(),
                                        acceptor.enrolment(),
                                        acceptor.connecting(),
                                        nanoTime))
                        : Stream.of();
        return Stream.concat(everywhere, onHubs)
                .flatMap(source -> source.routes().stream())
                .toList();
    }

    /**
     * Authenticates callers by this database.
     *
     * @param adminSecret what this machine's command line presents to the running process
     */
    public DirectoryAuthenticator authentication(Optional<String> adminSecret) {
        return new DirectoryAuthenticator(
                database,
                orgs,
                people.sessions(),
                keys,
                people.operatorService(),
                acceptor,
                adminSecret);
    }

    @Override
    public void close() {
        providers.close();
        passwordHasher.close();
    }
}
