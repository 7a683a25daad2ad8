package dev.skep.supervisor.routes;

import dev.skep.kernel.identity.Principal;
import dev.skep.kernel.identity.Role;
import dev.skep.kernel.job.JobKind;
import dev.skep.supervisor.source.Sources;
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
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;

/** The first request of a page: the caller, and which pages there are. */
final class AboutRoutes implements Route.Source {
    private final Sources sources;
    private final boolean canMail;
    private final InstantSource clock;

    AboutRoutes(Sources sources, boolean canMail, InstantSource clock) {
        this.sources = sources;
        this.canMail = canMail;
        this.clock = clock;
    }

    @Override
    public List<Route> routes() {
        return List.of(
                new Route(
                                HttpMethod.GET,
                                "/api/supervisor",
                                Access.operators(Role.VIEWER),
                                OrgScope.CALLER,
                                this::about)
                        .described(
                                Operation.of("What this process can show, and who asks.")
                                        .answers(About.class)));
    }

    /**
     * What a page needs to begin.
     *
     * @param has the sources this process has
     * @param jobTypes what the form of a new job offers
     */
    private record About(
            String org,
            String who,
            String role,
            SortedSet<String> has,
            List<OfferedJobType> jobTypes,
            Instant now) {}

    /** A type of job that people choose from a list. */
    private record OfferedJobType(String type, String does, String payload) {}

    private static List<OfferedJobType> offeredJobTypes() {
        List<OfferedJobType> offered = new ArrayList<>();
        for (JobKind kind : JobKind.values()) {
            kind.form()
                    .map(form -> new OfferedJobType(kind.type(), form.does(), form.payload()))
                    .ifPresent(offered::add);
        }
        return offered;
    }

    private Response about(Request request) {
        SortedSet<String> has = new TreeSet<>(Set.of("audit", "nodes"));
        if (sources.dispatches()) {
            has.addAll(Set.of("alerts", "jobs", "servers"));
        }
        sources.links().ifPresent(s -> has.add("links"));
        sources.approvals().ifPresent(s -> has.add("approvals"));
        sources.controls().ifPresent(s -> has.add("controls"));
        sources.files().ifPresent(s -> has.add("files"));
        sources.settings().ifPresent(s -> has.add("settings"));
        if (canMail) {
            has.add("mail");
        }
        return Response.json(
                new About(
                        request.org().value(),
                        request.principal().label(),
                        role(request.principal()),
                        has,
                        offeredJobTypes(),
                        clock.instant()));
    }

    private static String role(Principal principal) {
        Role role = principal instanceof Principal.Operator o ? o.role() : Role.ADMIN;
        return role.name().toLowerCase(Locale.ROOT);
    }
}
