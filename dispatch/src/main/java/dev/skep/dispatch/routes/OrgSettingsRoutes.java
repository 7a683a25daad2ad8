package dev.skep.dispatch.routes;

import dev.skep.dispatch.queue.AuditRecorder;
import dev.skep.dispatch.setting.LoadThresholds;
import dev.skep.dispatch.setting.OrgSettings;
import dev.skep.dispatch.setting.OrgSettingsStore;
import dev.skep.kernel.identity.Role;
import dev.skep.store.Database;
import dev.skep.transport.describe.Operation;
import dev.skep.transport.route.Access;
import dev.skep.transport.route.HttpMethod;
import dev.skep.transport.route.JsonFields;
import dev.skep.transport.route.OrgScope;
import dev.skep.transport.route.Request;
import dev.skep.transport.route.Response;
import dev.skep.transport.route.Route;
import java.lang.reflect.RecordComponent;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** What an org sets about its hosts and jobs; it counts at once. */
public final class OrgSettingsRoutes implements Route.Source {
    private static final String PATH = "/api/orgs/{org}/settings";

    /** Three heartbeats of a large fleet: less would call hosts offline that are not. */
    private static final long SHORTEST_SILENCE = 60;

    /** The longest time from one heartbeat to the next, and some more. */
    private static final long SHORTEST_LEASE = 30;

    private static final long LONGEST_SILENCE = Duration.ofDays(1).toSeconds();
    private static final long LONGEST_LEASE = Duration.ofHours(1).toSeconds();

    private final Database database;
    private final AuditRecorder audit;
    private final InstantSource clock;
    private final Duration usualSilence;
    private final Duration usualLease;

    public OrgSettingsRoutes(
            Database database,
            AuditRecorder audit,
            InstantSource clock,
            Duration usualSilence,
            Duration usualLease) {
        this.database = database;
        this.audit = audit;
        this.clock = clock;
        this.usualSilence = usualSilence;
        this.usualLease = usualLease;
    }

    @Override
    public List<Route> routes() {
        return List.of(
                new Route(
                                HttpMethod.GET,
                                PATH,
                                Access.operators(Role.VIEWER),
                                OrgScope.PATH,
                                this::show)
                        .described(
                                Operation.of(
                                                "What the org sets about its hosts and jobs, and what counts where it sets nothing.")
                                        .answers(SettingsInForce.class)),
                new Route(
                                HttpMethod.PATCH,
                                PATH,
                                Access.operators(Role.ADMIN),
                                OrgScope.PATH,
                                this::change)
                        .described(
                                Operation.of(
                                                "Changes that, at once. What is left out stays; null: as every org.")
                                        .takes(OrgSettings.class)
                                        .answers(SettingsInForce.class)));
    }

    /**
     * What counts.
     *
     * @param set what the org has set itself
     */
    private record SettingsInForce(
            long offlineAfterSeconds,
            long jobLeaseSeconds,
            int degradedCpuPercent,
            int degradedMemoryPercent,
            int degradedDiskPercent,
            OrgSettings set) {}

    private SettingsInForce inForce(OrgSettings set) {
        LoadThresholds thresholds = set.thresholds();
        return new SettingsInForce(
                set.offlineAfter(usualSilence).toSeconds(),
                set.jobLease(usualLease).toSeconds(),
                thresholds.cpu(),
                thresholds.memory(),
                thresholds.disk(),
                set);
    }

    private Response show(Request request) {
        return Response.json(inForce(database.read(s -> OrgSettingsStore.of(s, request.org()))));
    }

    private Response change(Request request) {
        JsonFields fields = request.fields().only(OrgSettings.class);
        OrgSettings changed =
                database.write(
                        transaction -> {
                            OrgSettings before = OrgSettingsStore.of(transaction, request.org());
                            OrgSettings settings = with(before, fields);
                            OrgSettingsStore.set(
                                    transaction, request.org(), settings, clock.instant());
                            audit.record(
                                    transaction,
                                    request.actor(),
                                    "org_settings_changed",
                                    "org:" + request.org(),
                                    said(fields));
                            return settings;
                        });
        return Response.json(inForce(changed));
    }

    private static OrgSettings with(OrgSettings before, JsonFields fields) {
        return new OrgSettings(
                number(
                        fields,
                        "offlineAfterSeconds",
                        before.offlineAfterSeconds(),
                        SHORTEST_SILENCE,
                        LONGEST_SILENCE),
                number(
                        fields,
                        "jobLeaseSeconds",
                        before.jobLeaseSeconds(),
                        SHORTEST_LEASE,
                        LONGEST_LEASE),
                percent(fields, "degradedCpuPercent", before.degradedCpuPercent()),
                percent(fields, "degradedMemoryPercent", before.degradedMemoryPercent()),
                percent(fields, "degradedDiskPercent", before.degradedDiskPercent()));
    }

    private static @Nullable Integer percent(
            JsonFields fields, String name, @Nullable Integer before) {
        Long number = number(fields, name, before == null ? null : (long) before, 1, 100);
        return number == null ? null : number.intValue();
    }

    private static @Nullable Long number(
            JsonFields fields, String name, @Nullable Long before, long least, long most) {
        if (!fields.has(name)) {
            return before;
        }
        Long number = fields.optionalNumber(name).orElse(null);
        if (number != null && (number < least || number > most)) {
            throw DispatchResponses.bad(
                    "field '%s' must be from %d to %d, or null for what every org gets"
                            .formatted(name, least, most));
        }
        return number;
    }

    private static Map<String, String> said(JsonFields fields) {
        Map<String, String> said = new TreeMap<>();
        Arrays.stream(OrgSettings.class.getRecordComponents())
                .map(RecordComponent::getName)
                .filter(fields::has)
                .forEach(
                        name ->
                                said.put(
                                        name,
                                        fields.optionalNumber(name)
                                                .map(String::valueOf)
                                                .orElse("usual")));
        return said;
    }
}
