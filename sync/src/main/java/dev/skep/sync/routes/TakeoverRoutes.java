package dev.skep.sync.routes;

import dev.skep.kernel.error.ErrorCode;
import dev.skep.kernel.error.SkepException;
import dev.skep.kernel.id.HostId;
import dev.skep.kernel.id.OrgId;
import dev.skep.kernel.identity.Role;
import dev.skep.sync.hub.TakeoverService;
import dev.skep.sync.sql.SyncReports;
import dev.skep.transport.describe.Operation;
import dev.skep.transport.route.Access;
import dev.skep.transport.route.HttpMethod;
import dev.skep.transport.route.OrgScope;
import dev.skep.transport.route.Request;
import dev.skep.transport.route.Response;
import dev.skep.transport.route.Route;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** An operator gives an agent to another host, on a hub. */
public final class TakeoverRoutes implements Route.Source {
    public static final String ADOPT = "/api/orgs/{org}/agents/{agent}/adopt";

    private final TakeoverService takeoverService;
    private final SyncReports names;
    private final BiConsumer<OrgId, HostId> mustConsent;

    /**
     * On a hub.
     *
     * @param mustConsent throws if it is known that a host lets this hub bring it no agents
     */
    public TakeoverRoutes(
            TakeoverService takeoverService,
            SyncReports names,
            BiConsumer<OrgId, HostId> mustConsent) {
        this.takeoverService = takeoverService;
        this.names = names;
        this.mustConsent = mustConsent;
    }

    @Override
    public List<Route> routes() {
        return List.of(
                new Route(
                                HttpMethod.POST,
                                ADOPT,
                                Access.operators(Role.ADMIN),
                                OrgScope.PATH,
                                this::adopt)
                        .described(
                                Operation.of(
                                                "Has a host take an agent over; with a `generation`, confirms what another hub was told.")
                                        .takes(Takeover.class)
                                        .answers(GrantedTakeover.class)));
    }

    /**
     * Who is to have it, by id or name.
     *
     * @param host the same as hostId, under the name of earlier versions
     */
    private record Takeover(
            @Nullable String hostId, @Nullable String host, @Nullable String generation) {
        String to() {
            if (hostId == null && host == null) {
                throw new SkepException(ErrorCode.BAD_REQUEST, "field 'hostId' is missing");
            }
            return hostId != null ? hostId : Objects.requireNonNull(host);
        }
    }

    /** Who is to have it; the names without Id are those of earlier versions. */
    private record GrantedTakeover(
            String agentId, String hostId, String agent, String host, String generation) {}

    /** With a generation, repeats here what another hub was given. */
    private Response adopt(Request request) {
        Takeover asked = request.body(Takeover.class);
        Optional<Long> confirmed =
                Optional.ofNullable(asked.generation()).map(TakeoverRoutes::number);
        String agent = meant(request, "users", request.parameter("agent"), confirmed.isPresent());
        HostId to = new HostId(meant(request, "hosts", asked.to(), confirmed.isPresent()));
        mustConsent.accept(request.org(), to);
        long generation;
        if (confirmed.isPresent()) {
            generation = confirmed.get();
            takeoverService.confirm(request.org(), to, agent, generation);
        } else {
            generation = takeoverService.grant(request.org(), to, agent);
        }
        return Response.json(
                new GrantedTakeover(
                        agent, to.value(), agent, to.value(), Long.toString(generation)));
    }

    /**
     * The id of what a person named.
     *
     * @param mayArriveLater whether an id that is not known here yet is taken as it is
     */
    private String meant(Request request, String table, String word, boolean mayArriveLater) {
        List<String> ids = names.findByIdOrName(request.org(), table, word);
        if (ids.size() > 1) {
            throw new SkepException(
                    ErrorCode.CONFLICT,
                    "%s is the name of several; say which by its id: %s"
                            .formatted(word, String.join(", ", ids)));
        }
        if (ids.isEmpty() && !mayArriveLater) {
            throw new SkepException(
                    ErrorCode.NOT_FOUND,
                    "this hub knows no %s %s, by name or by id"
                            .formatted(table.equals("users") ? "agent" : "host", word));
        }
        return ids.isEmpty() ? word : ids.getFirst();
    }

    private static long number(String text) {
        try {
            return Long.parseLong(text);
        } catch (NumberFormatException e) {
            throw new SkepException(
                    ErrorCode.BAD_REQUEST,
                    "generation: '%s' is not the number the first hub printed".formatted(text));
        }
    }
}
