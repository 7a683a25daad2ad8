package dev.skep.testkit.hub;

import dev.skep.kernel.error.SkepException;
import dev.skep.kernel.id.OrgId;
import dev.skep.kernel.identity.Principal;
import dev.skep.transport.route.Authenticator;
import dev.skep.transport.route.Credentials;
import dev.skep.transport.route.Request;
import dev.skep.transport.route.Response;
import dev.skep.transport.route.Route;
import dev.skep.transport.route.RouteTable;
import dev.skep.transport.route.Router;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;

/**
 * Asks every route of a table with another org's ids, which must be answered like nonsense ids. A
 * parameter without ids is a finding too, so a new route fails until it is covered.
 */
public final class RouteIsolation {
    private static final String NONSENSE = "01JZZZZZZZZZZZZZZZZZZZZZZZ";

    private final List<Route> routes;
    private final Map<String, String> own = new HashMap<>();
    private final Map<String, String> foreign = new HashMap<>();
    private final Map<String, String> bodies = new HashMap<>();

    public RouteIsolation(List<Route> routes) {
        this.routes = List.copyOf(routes);
    }

    /** Sets an id of the calling org and one of another org for a path's parameter. */
    public RouteIsolation ids(String parameter, String ours, String theirs) {
        own.put(parameter, ours);
        foreign.put(parameter, theirs);
        return this;
    }

    /** The body a route needs to get as far as looking at its ids; by default an empty object. */
    public RouteIsolation body(String path, String json) {
        bodies.put(path, json);
        return this;
    }

    /** What is wrong, one line each; empty if nothing. */
    public List<String> findings(Principal caller) {
        Router router = new Router(new RouteTable(routes), new Only(caller));
        TreeSet<String> findings = new TreeSet<>();
        for (Route route : routes) {
            for (String parameter : route.parameters()) {
                if (!foreign.containsKey(parameter)) {
                    findings.add(
                            "%s: no id of another org is set for {%s}".formatted(route, parameter));
                    continue;
                }
                String theirs = foreign.getOrDefault(parameter, "");
                String nonsense = answer(router, route, parameter, NONSENSE);
                String given = answer(router, route, parameter, theirs);
                if (!given.replace(theirs, "ID").equals(nonsense.replace(NONSENSE, "ID"))) {
                    findings.add(
                            "%s by %s: %s, but %s".formatted(route, parameter, given, nonsense));
                } else if (given.startsWith("2")) {
                    findings.add("%s by %s answers %s".formatted(route, parameter, given));
                }
            }
        }
        return new ArrayList<>(findings);
    }

    private String answer(Router router, Route route, String parameter, String id) {
        String path = route.path().replace("{" + parameter + "}", id);
        for (String other : route.parameters()) {
            path = path.replace("{" + other + "}", own.getOrDefault(other, NONSENSE));
        }
        byte[] body = bodies.getOrDefault(route.path(), "{}").getBytes(StandardCharsets.UTF_8);
        try {
            Response response =
                    router.answer(
                            Request.of(
                                    route.method(),
                                    path,
                                    Map.of(),
                                    Credentials.none("test"),
                                    new Bytes(body)));
            ByteArrayOutputStream out = new ByteArrayOutputStream();
            response.body().writeTo(out);
            return response.status() + " " + out.toString(StandardCharsets.UTF_8);
        } catch (SkepException refused) {
            return refused.code().httpStatus() + " " + refused.code() + " " + refused.getMessage();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private record Only(Principal principal) implements Authenticator {
        @Override
        public Optional<Principal> principalOf(Credentials credentials) {
            return Optional.of(principal);
        }

        @Override
        public boolean isOrg(OrgId org) {
            return false;
        }
    }

    @SuppressWarnings("ArrayRecordComponent") // handed over, never compared
    private record Bytes(byte[] bytes) implements Request.Body {
        @Override
        public InputStream stream() {
            return new ByteArrayInputStream(bytes);
        }
    }
}
