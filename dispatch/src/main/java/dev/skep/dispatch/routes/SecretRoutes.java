package dev.skep.dispatch.routes;

import dev.skep.directory.enrolment.HostPublicKeys;
import dev.skep.directory.operator.CallerName;
import dev.skep.directory.secret.SecretDigest;
import dev.skep.dispatch.host.HostConsents;
import dev.skep.dispatch.host.HostDetails;
import dev.skep.dispatch.queue.AuditRecorder;
import dev.skep.dispatch.queue.CreatedJob;
import dev.skep.dispatch.queue.JobQueue;
import dev.skep.dispatch.secret.SecretStore;
import dev.skep.dispatch.secret.SecretStore.Seal;
import dev.skep.dispatch.secret.SecretTarget;
import dev.skep.kernel.consent.Consent;
import dev.skep.kernel.error.ErrorCode;
import dev.skep.kernel.error.SkepException;
import dev.skep.kernel.id.HostId;
import dev.skep.kernel.identity.Role;
import dev.skep.kernel.job.SecretName;
import dev.skep.store.Database;
import dev.skep.store.Snapshot;
import dev.skep.transport.describe.Operation;
import dev.skep.transport.route.Access;
import dev.skep.transport.route.HttpMethod;
import dev.skep.transport.route.OrgScope;
import dev.skep.transport.route.Request;
import dev.skep.transport.route.Response;
import dev.skep.transport.route.Route;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Secrets for the files of agents. Who sets one seals it for each host with the keys that these
 * routes name; what comes here is sealed, and travels on as a job.
 */
public final class SecretRoutes implements Route.Source {
    private static final String ALL = "/api/orgs/{org}/secrets";
    private static final String ONE = ALL + "/{secret}";
    private static final int MOST_TARGETS = 100;
    private static final String NOT_SEALED = "not sealed yet";

    private final Database database;
    private final HostConsents consents;
    private final SecretDelivery delivery;
    private final SecretStore secrets;
    private final AuditRecorder audit;
    private final InstantSource clock;

    public SecretRoutes(
            Database database,
            JobQueue queue,
            SecretStore secrets,
            AuditRecorder audit,
            InstantSource clock) {
        this.database = database;
        this.consents = new HostConsents(database);
        this.delivery = new SecretDelivery(queue, consents);
        this.secrets = secrets;
        this.audit = audit;
        this.clock = clock;
    }

    @Override
    public List<Route> routes() {
        Access see = Access.operators(Role.VIEWER);
        Access act = Access.operators(Role.OPERATOR);
        return List.of(
                new Route(HttpMethod.GET, ALL, see, OrgScope.PATH, this::list)
                        .described(
                                Operation.of(
                                                "Secrets for agents' files: which hosts have them. Nobody but the hosts knows their values.")
                                        .answers(SecretList.class)),
                new Route(HttpMethod.GET, ONE + "/recipients", see, OrgScope.PATH, this::recipients)
                        .described(
                                Operation.of(
                                                "The hosts that a secret is to be sealed for, with their keys.")
                                        .query(
                                                "targets",
                                                String.class,
                                                "host:ID or label:NAME:VALUE, with commas between; those it has if left out")
                                        .answers(RecipientList.class)),
                new Route(HttpMethod.PUT, ONE, act, OrgScope.PATH, this::set)
                        .described(
                                Operation.of(
                                                "Sets a secret, sealed for each host by its id, or replaces it.")
                                        .takes(SealedSecret.class)
                                        .answers(SecretList.class)),
                new Route(HttpMethod.DELETE, ONE, act, OrgScope.PATH, this::remove)
                        .described(
                                Operation.of("Removes a secret from all its hosts.")
                                        .answersNothing()));
    }

    /**
     * A secret as it is brought here.
     *
     * @param version what it was sealed for
     * @param sealed a text for each host, by its id
     */
    private record SealedSecret(long version, List<String> targets, Map<String, String> sealed) {}

    /** All secrets, without values: nothing here knows them. */
    private record SecretList(List<SecretView> secrets) {}

    private record SecretView(String name, List<String> targets, List<SealView> hosts) {}

    /**
     * A secret at a host.
     *
     * @param state of the job that brings it there; {@code not sealed yet} where the host was not
     *     there when the secret was set last, or did not allow it
     */
    private record SealView(
            String hostId,
            String hostName,
            String state,
            @Nullable Long version,
            @Nullable String jobId,
            @Nullable String sealedBy,
            @Nullable Instant sealedAt) {}

    private Response list(Request request) {
        return Response.json(database.read(snapshot -> listed(snapshot, request)));
    }

    private SecretList listed(Snapshot snapshot, Request request) {
        Map<String, List<SecretTarget>> targets = secrets.targets(snapshot, request.principal());
        Map<String, Map<String, Seal>> seals = new TreeMap<>();
        for (Seal seal : secrets.seals(snapshot, request.principal())) {
            seals.computeIfAbsent(seal.name(), _ -> new LinkedHashMap<>())
                    .put(seal.host().value(), seal);
        }
        List<SecretView> all = new ArrayList<>();
        targets.forEach(
                (name, meant) -> {
                    Map<String, Seal> sealed = seals.getOrDefault(name, Map.of());
                    Map<String, HostDetails> hosts =
                            SecretHosts.of(snapshot, request.principal(), meant);
                    long newest = sealed.values().stream().mapToLong(Seal::version).max().orElse(0);
                    List<SealView> views = new ArrayList<>();
                    hosts.forEach((id, host) -> views.add(view(host, sealed.get(id), newest)));
                    all.add(
                            new SecretView(
                                    name, meant.stream().map(SecretTarget::text).toList(), views));
                });
        return new SecretList(all);
    }

    private static SealView view(HostDetails host, @Nullable Seal seal, long newest) {
        if (seal == null || seal.version() < newest) {
            return new SealView(host.id(), host.name(), NOT_SEALED, null, null, null, null);
        }
        // A job that is no longer kept was done long ago.
        String state = Optional.ofNullable(seal.status()).orElse("succeeded");
        return new SealView(
                host.id(), host.name(), state, seal.version(), seal.job(), seal.by(), seal.at());
    }

    /**
     * For whom a secret is to be sealed.
     *
     * @param version what the seals must be for; higher than any before
     */
    private record RecipientList(long version, List<String> targets, List<Recipient> recipients) {}

    /**
     * A host to seal for.
     *
     * @param publicKey its key; null if it has none that is good
     * @param fingerprint what a person compares with what the host itself shows
     * @param allowed whether it lets this hub bring what agents read
     */
    private record Recipient(
            String hostId,
            String hostName,
            @Nullable String publicKey,
            @Nullable String fingerprint,
            boolean allowed) {}

    private Response recipients(Request request) {
        String name = request.parameter("secret");
        return Response.json(database.read(snapshot -> recipients(snapshot, request, name)));
    }

    private RecipientList recipients(Snapshot snapshot, Request request, String name) {
        List<SecretTarget> asked =
                request.query("targets").stream()
                        .flatMap(text -> List.of(text.split(",", -1)).stream())
                        .map(SecretTarget::parse)
                        .toList();
        List<SecretTarget> targets =
                asked.isEmpty()
                        ? secrets.targets(snapshot, request.principal())
                                .getOrDefault(name, List.of())
                        : asked;
        if (targets.isEmpty()) {
            throw DispatchResponses.bad(
                    "secret %s is for no host yet; name hosts or labels".formatted(name));
        }
        SecretHosts.requireKnown(snapshot, request.principal(), targets);
        List<Recipient> recipients = new ArrayList<>();
        for (HostDetails host : SecretHosts.of(snapshot, request.principal(), targets).values()) {
            Optional<String> key =
                    HostPublicKeys.of(snapshot, request.principal(), new HostId(host.id()));
            recipients.add(
                    new Recipient(
                            host.id(),
                            host.name(),
                            key.orElse(null),
                            key.map(SecretDigest::fingerprint).orElse(null),
                            host.allows() == null
                                    || host.allows().contains(Consent.AGENTS.label())));
        }
        return new RecipientList(
                next(snapshot, request, name),
                targets.stream().map(SecretTarget::text).toList(),
                recipients);
    }

    /** Seconds, so that a hub that was restored from a backup goes on above what it forgot. */
    private long next(Snapshot snapshot, Request request, String name) {
        return Math.max(newest(snapshot, request, name) + 1, clock.instant().getEpochSecond());
    }

    private long newest(Snapshot snapshot, Request request, String name) {
        return secrets.seals(snapshot, request.principal()).stream()
                .filter(seal -> seal.name().equals(name))
                .mapToLong(Seal::version)
                .max()
                .orElse(0);
    }

    private Response set(Request request) {
        SealedSecret wanted = request.body(SealedSecret.class);
        String name = SecretName.require(request.parameter("secret"));
        long version = wanted.version();
        Map<String, String> sealed = wanted.sealed();
        List<SecretTarget> targets = wanted.targets().stream().map(SecretTarget::parse).toList();
        if (sealed.isEmpty() || targets.isEmpty() || targets.size() > MOST_TARGETS) {
            throw DispatchResponses.bad(
                    "a secret needs 1 to %d targets, and a seal for at least one host"
                            .formatted(MOST_TARGETS));
        }
        sealed.values().forEach(SecretRoutes::requireSeal);
        Set<String> meant =
                database.read(
                        snapshot -> {
                            SecretHosts.requireKnown(snapshot, request.principal(), targets);
                            requireNewer(snapshot, request, name, version);
                            return SecretHosts.of(snapshot, request.principal(), targets).keySet();
                        });
        for (String host : sealed.keySet()) {
            if (!meant.contains(host)) {
                throw DispatchResponses.bad(
                        "secret %s is not meant for host %s".formatted(name, host));
            }
            consents.require(request.org(), new HostId(host), Consent.AGENTS);
        }
        Map<String, CreatedJob> jobs = delivery.bring(request, name, version, sealed);
        List<HostId> dropped =
                sealsOf(request, name).stream()
                        .map(Seal::host)
                        .filter(host -> !meant.contains(host.value()))
                        .toList();
        delivery.takeBack(request, name, version, dropped);
        remember(request, name, version, targets, jobs, dropped);
        return list(request);
    }

    private List<Seal> sealsOf(Request request, String name) {
        return database.read(snapshot -> secrets.seals(snapshot, request.principal())).stream()
                .filter(seal -> seal.name().equals(name))
                .toList();
    }

    /** What looks like no seal may be the secret itself, and must not be stored. */
    private static void requireSeal(String text) {
        if (!text.matches("1\\.[A-Za-z0-9_-]{64,9998}")) {
            throw DispatchResponses.bad(
                    "field 'sealed' must have a text for each host that was sealed with its key");
        }
    }

    private void requireNewer(Snapshot snapshot, Request request, String name, long version) {
        if (version <= newest(snapshot, request, name)
                || version > next(snapshot, request, name) + 1) {
            throw new SkepException(
                    ErrorCode.CONFLICT,
                    "secret %s was set by somebody else meanwhile; set it again".formatted(name));
        }
    }

    private void remember(
            Request request,
            String name,
            long version,
            List<SecretTarget> targets,
            Map<String, CreatedJob> jobs,
            List<HostId> dropped) {
        Instant now = clock.instant();
        database.write(
                tx -> {
                    secrets.aim(tx, request.org(), name, targets, now);
                    dropped.forEach(host -> secrets.forget(tx, request.org(), name, host));
                    String by = CallerName.of(tx, request.principal());
                    jobs.forEach(
                            (host, job) ->
                                    secrets.sealed(
                                            tx,
                                            request.org(),
                                            name,
                                            new HostId(host),
                                            version,
                                            job.job(),
                                            by,
                                            now));
                    audit.record(
                            tx,
                            request.actor(),
                            "secret_set",
                            "secret:" + name,
                            Map.of(
                                    "version",
                                    Long.toString(version),
                                    "hosts",
                                    String.join(" ", jobs.keySet())));
                    return jobs.size();
                });
    }

    private Response remove(Request request) {
        String name = request.parameter("secret");
        boolean known =
                database.read(
                        snapshot ->
                                secrets.targets(snapshot, request.principal()).containsKey(name));
        if (!known) {
            throw DispatchResponses.no("secret", name);
        }
        List<HostId> hosts = sealsOf(request, name).stream().map(Seal::host).toList();
        long version = database.read(snapshot -> next(snapshot, request, name));
        delivery.takeBack(request, name, version, hosts);
        database.write(
                tx -> {
                    secrets.forget(tx, request.org(), name);
                    audit.record(
                            tx,
                            request.actor(),
                            "secret_removed",
                            "secret:" + name,
                            Map.of(
                                    "hosts",
                                    hosts.stream()
                                            .map(HostId::value)
                                            .collect(Collectors.joining(" "))));
                    return hosts.size();
                });
        return Response.done();
    }
}
