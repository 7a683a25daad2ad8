package dev.skep.dispatch.routes;

import dev.skep.dispatch.mailserver.MailServer;
import dev.skep.dispatch.mailserver.MailServerStore;
import dev.skep.dispatch.outgoing.Smtp;
import dev.skep.dispatch.queue.AuditRecorder;
import dev.skep.kernel.error.ErrorCode;
import dev.skep.kernel.error.SkepException;
import dev.skep.kernel.identity.Role;
import dev.skep.store.Database;
import dev.skep.transport.describe.Operation;
import dev.skep.transport.describe.Sparse;
import dev.skep.transport.route.Access;
import dev.skep.transport.route.HttpMethod;
import dev.skep.transport.route.OrgScope;
import dev.skep.transport.route.Request;
import dev.skep.transport.route.Response;
import dev.skep.transport.route.Route;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The mail server through which an org's e-mail leaves. Its password goes in and never out. */
public final class MailServerRoutes implements Route.Source {
    private static final String PATH = "/api/orgs/{org}/mail-server";
    private static final int LONGEST = 500;

    private final Database database;
    private final MailServerStore store;
    private final AuditRecorder audit;
    private final InstantSource clock;

    public MailServerRoutes(
            Database database, MailServerStore store, AuditRecorder audit, InstantSource clock) {
        this.database = database;
        this.store = store;
        this.audit = audit;
        this.clock = clock;
    }

    @Override
    public List<Route> routes() {
        return List.of(
                route(HttpMethod.GET, this::show)
                        .described(
                                Operation.of("The mail server of the org, without its password.")
                                        .answers(MailServerView.class)),
                route(HttpMethod.PUT, this::set)
                        .described(
                                Operation.of(
                                                "Sets it; without a password the stored one stays if host and user do.")
                                        .takes(NewMailServer.class)
                                        .answers(MailServerView.class)),
                route(HttpMethod.DELETE, this::remove)
                        .described(Operation.of("Removes it.").answersNothing()));
    }

    private static Route route(HttpMethod method, Route.Handler handler) {
        return new Route(method, PATH, Access.operators(Role.ADMIN), OrgScope.PATH, handler);
    }

    /** Without its password. */
    private record MailServerDetails(
            String host, int port, String security, @Nullable String user, String sender) {
        static MailServerDetails of(MailServer server) {
            return new MailServerDetails(
                    server.host(),
                    server.port(),
                    server.security().label(),
                    server.user(),
                    server.sender());
        }
    }

    /**
     * What an org has.
     *
     * @param server nothing if it has none
     */
    private record MailServerView(@Nullable MailServerDetails server) implements Sparse {}

    /**
     * What is set.
     *
     * @param port the usual one of the security if missing
     */
    private record NewMailServer(
            String host,
            @Nullable Integer port,
            Smtp.@Nullable Security security,
            @Nullable String user,
            @Nullable String password,
            String sender) {}

    private Response show(Request request) {
        return Response.json(
                new MailServerView(
                        database.read(snapshot -> store.find(snapshot, request.org()))
                                .map(MailServerDetails::of)
                                .orElse(null)));
    }

    private static SkepException none() {
        return new SkepException(
                ErrorCode.NOT_FOUND,
                "this org has no mail server; set one: skep notifications mail-server");
    }

    private Response set(Request request) {
        NewMailServer wanted = request.body(NewMailServer.class);
        Smtp.Security security = Objects.requireNonNullElse(wanted.security(), Smtp.Security.TLS);
        int port =
                Objects.requireNonNullElse(
                        wanted.port(), security == Smtp.Security.TLS ? 465 : 587);
        String user = orNull(wanted.user());
        String password = orNull(wanted.password());
        MailServer server =
                new MailServer(
                        wanted.host(), port, security, user, wanted.sender(), clock.instant());
        require(MailServer.isHost(server.host()), "host must be the name of a mail server");
        require(port >= 1 && port <= 65_535, "port must be from 1 to 65535");
        require(
                MailServer.isAddress(server.sender()),
                "sender must be an e-mail address, such as skep@example.org");
        require(
                user == null || (user.length() <= LONGEST && user.chars().noneMatch(c -> c < ' ')),
                "user must be a name without control characters");
        database.write(
                transaction -> {
                    store.put(transaction, request.org(), server, password);
                    audit.record(
                            transaction,
                            request.actor(),
                            "mail_server_set",
                            "org:" + request.org().value(),
                            Map.of("host", server.host(), "sender", server.sender()));
                    return true;
                });
        return Response.json(new MailServerView(MailServerDetails.of(server)));
    }

    private Response remove(Request request) {
        database.write(
                transaction -> {
                    if (!store.delete(transaction, request.org())) {
                        throw none();
                    }
                    audit.record(
                            transaction,
                            request.actor(),
                            "mail_server_removed",
                            "org:" + request.org().value(),
                            Map.of());
                    return true;
                });
        return Response.done();
    }

    private static @Nullable String orNull(@Nullable String text) {
        return text == null || text.isEmpty() ? null : text;
    }

    private static void require(boolean holds, String problem) {
        if (!holds) {
            throw DispatchResponses.bad(problem);
        }
    }
}
