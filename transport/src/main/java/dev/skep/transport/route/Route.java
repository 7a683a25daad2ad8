package dev.skep.transport.route;

import dev.skep.transport.describe.Operation;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * One HTTP endpoint. It always states who may call it and which org it concerns.
 *
 * @param path segments, those in braces being parameters: {@code /api/orgs/{org}/hosts/{host}}
 * @param operation what it is for, takes and answers
 */
public record Route(
        HttpMethod method,
        String path,
        Access access,
        OrgScope scope,
        Handler handler,
        @Nullable Operation operation) {
    private static final Pattern PATH = Pattern.compile("(/([a-z0-9_.-]+|\\{[a-z]+}))+");

    public Route {
        if (!PATH.matcher(path).matches()) {
            throw new IllegalArgumentException("not a route's path: " + path);
        }
        boolean namesOrg = path.contains("/{org}");
        if (namesOrg != (scope == OrgScope.PATH)) {
            throw new IllegalArgumentException(
                    path + " must name {org} exactly if its scope is PATH, not " + scope);
        }
        boolean isSomebodys = scope != OrgScope.NONE;
        if (isSomebodys && access.admitsStrangers()) {
            throw new IllegalArgumentException(path + " concerns an org, so it needs a caller");
        }
    }

    /** One that does not say yet what it is for; see {@link #described}. */
    public Route(HttpMethod method, String path, Access access, OrgScope scope, Handler handler) {
        this(method, path, access, scope, handler, null);
    }

    /** The same, with what it is for, takes and answers. */
    public Route described(Operation as) {
        return new Route(method, path, access, scope, handler, as);
    }

    /** The same, answered by another. */
    public Route handledBy(Handler other) {
        return new Route(method, path, access, scope, other, operation);
    }

    public Optional<Operation> description() {
        return Optional.ofNullable(operation);
    }

    /** Answers a request that may be answered. */
    @FunctionalInterface
    public interface Handler {
        Response answer(Request request);
    }

    /** A feature's routes, as its route class offers them. */
    @FunctionalInterface
    public interface Source {
        List<Route> routes();
    }

    List<String> segments() {
        return segmentsOf(path);
    }

    static List<String> segmentsOf(String path) {
        return List.of(path.substring(1).split("/", -1));
    }

    /** The names of the path's parameters, in order. */
    public List<String> parameters() {
        return segments().stream()
                .filter(Route::isParameter)
                .map(segment -> segment.substring(1, segment.length() - 1))
                .toList();
    }

    static boolean isParameter(String segment) {
        return segment.startsWith("{");
    }

    @Override
    public String toString() {
        return method + " " + path;
    }
}
