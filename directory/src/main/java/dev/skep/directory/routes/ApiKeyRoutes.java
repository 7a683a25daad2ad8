package dev.skep.directory.routes;

import dev.skep.directory.key.ApiKey;
import dev.skep.directory.key.ApiKeyKind;
import dev.skep.directory.key.ApiKeyStore;
import dev.skep.directory.operator.OperatorService;
import dev.skep.kernel.error.ErrorCode;
import dev.skep.kernel.error.SkepException;
import dev.skep.kernel.identity.Principal;
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
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Keys of an org and of its agents. */
public final class ApiKeyRoutes implements Route.Source {
    private final Database database;
    private final ApiKeyStore keys;
    private final AgentLookup agents;
    private final OperatorService operatorService;
    private final InstantSource clock;

    /** Finds the agent with a name or id and its host; implemented where agents are known. */
    @FunctionalInterface
    public interface AgentLookup {
        Optional<ApiKeyStore.Subject> find(Principal principal, String nameOrId);
    }

    public ApiKeyRoutes(
            Database database,
            ApiKeyStore keys,
            AgentLookup agents,
            OperatorService operatorService,
            InstantSource clock) {
        this.database = database;
        this.keys = keys;
        this.agents = agents;
        this.operatorService = operatorService;
        this.clock = clock;
    }

    @Override
    public List<Route> routes() {
        Access admins = Access.operators(Role.ADMIN);
        return List.of(
                new Route(HttpMethod.GET, "/api/orgs/{org}/keys", admins, OrgScope.PATH, this::list)
                        .described(
                                Operation.of(
                                                "Access keys, agents' keys and registry tokens, without their secrets.")
                                        .answers(ApiKeyList.class)),
                new Route(
                                HttpMethod.POST,
                                "/api/orgs/{org}/keys",
                                admins,
                                OrgScope.PATH,
                                this::issue)
                        .described(
                                Operation.of("Issues one; its secret is shown once.")
                                        .takes(NewKey.class)
                                        .creates(ApiKeyStore.IssuedKey.class)),
                new Route(
                                HttpMethod.DELETE,
                                "/api/orgs/{org}/keys/{key}",
                                admins,
                                OrgScope.PATH,
                                this::revoke)
                        .described(Operation.of("Revokes one.").answersNothing()));
    }

    private record ApiKeyList(List<ApiKey> keys) {}

    /**
     * A key to be issued.
     *
     * @param kind join, registry, agent or api
     * @param agentId of an agent's key: its agent, by id or name
     * @param operator of an API key: who it acts for, by id or name
     */
    private record NewKey(
            String kind,
            @Nullable String label,
            @Nullable String agentId,
            @Nullable String operator,
            @Nullable Long expiresInDays) {}

    private Response list(Request request) {
        return Response.json(new ApiKeyList(database.read(s -> keys.all(s, request.principal()))));
    }

    private Response issue(Request request) {
        JsonFields fields = request.fields().only(NewKey.class);
        ApiKeyKind kind =
                ApiKeyKind.named(fields.text("kind"))
                        .orElseThrow(
                                () ->
                                        bad(
                                                "there is no such kind of key; choose join, registry, agent or api"));
        Optional<ApiKeyStore.Subject> subject =
                switch (kind) {
                    case AGENT_KEY -> Optional.of(agent(request, fields.text("agentId")));
                    case API_KEY -> Optional.of(operator(request, fields.text("operator")));
                    case ACCESS_KEY, REGISTRY_TOKEN -> Optional.empty();
                };
        ApiKeyStore.NewApiKey newApiKey =
                new ApiKeyStore.NewApiKey(
                        kind,
                        fields.optionalText("label").orElse(""),
                        subject,
                        fields.has("expiresInDays")
                                ? Optional.of(
                                        clock.instant()
                                                .plus(
                                                        Duration.ofDays(
                                                                fields.number("expiresInDays"))))
                                : Optional.empty());
        ApiKeyStore.IssuedKey issued =
                database.write(transaction -> keys.issue(transaction, request.actor(), newApiKey));
        return Response.created(issued);
    }

    private ApiKeyStore.Subject operator(Request request, String idOrName) {
        return new ApiKeyStore.Subject(
                operatorService.find(request.principal(), idOrName).id(), null);
    }

    private ApiKeyStore.Subject agent(Request request, String nameOrId) {
        return agents.find(request.principal(), nameOrId)
                .orElseThrow(
                        () ->
                                new SkepException(
                                        ErrorCode.NOT_FOUND,
                                        "there is no agent %s; see: skep agents list"
                                                .formatted(nameOrId)));
    }

    private Response revoke(Request request) {
        String id = request.parameter("key");
        if (!database.write(transaction -> keys.revoke(transaction, request.actor(), id))) {
            throw new SkepException(
                    ErrorCode.NOT_FOUND, "there is no key %s; see: skep keys list".formatted(id));
        }
        return Response.done();
    }

    private static SkepException bad(String message) {
        return new SkepException(ErrorCode.BAD_REQUEST, message);
    }
}
