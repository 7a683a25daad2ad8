package dev.skep.transport.route;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** All routes of a process; a literal segment is preferred to a parameter. Immutable. */
public final class RouteTable {
    private final List<Route> routes;
    private final Map<Integer, List<Candidate>> byLength = new HashMap<>();

    private record Candidate(Route route, List<String> segments) {}

    public RouteTable(List<Route> routes) {
        this.routes = List.copyOf(routes);
        Set<String> shapes = new HashSet<>();
        for (Route route : routes) {
            if (!shapes.add(route.method() + " " + route.path().replaceAll("\\{[a-z]+}", "{}"))) {
                throw new IllegalArgumentException(route + " is there twice");
            }
            List<String> segments = route.segments();
            byLength.computeIfAbsent(segments.size(), n -> new ArrayList<>())
                    .add(new Candidate(route, segments));
        }
    }

    public List<Route> routes() {
        return routes;
    }

    /** The first segments of all paths: what a server must hand to this table. */
    public Set<String> roots() {
        Set<String> roots = new TreeSet<>();
        routes.forEach(route -> roots.add(route.segments().getFirst()));
        return roots;
    }

    /** What a method and a path lead to. */
    public sealed interface Match {
        record Found(Route route, Map<String, String> parameters) implements Match {}

        record OtherMethods(Set<HttpMethod> allowed) implements Match {}

        record Nothing() implements Match {}
    }

    /** Looks up a decoded path. */
    public Match find(HttpMethod method, String path) {
        if (!path.startsWith("/")) {
            return new Match.Nothing();
        }
        List<String> asked = Route.segmentsOf(path);
        Set<HttpMethod> others = EnumSet.noneOf(HttpMethod.class);
        Optional<Match.Found> best = Optional.empty();
        for (Candidate candidate : byLength.getOrDefault(asked.size(), List.of())) {
            Optional<Map<String, String>> parameters = match(candidate.segments, asked);
            if (parameters.isPresent() && candidate.route.method() != method) {
                others.add(candidate.route.method());
            } else if (parameters.isPresent()
                    && best.filter(b -> b.parameters.size() <= parameters.get().size()).isEmpty()) {
                best = Optional.of(new Match.Found(candidate.route, parameters.get()));
            }
        }
        if (best.isPresent()) {
            return best.get();
        }
        return others.isEmpty() ? new Match.Nothing() : new Match.OtherMethods(others);
    }

    private static Optional<Map<String, String>> match(List<String> pattern, List<String> asked) {
        Map<String, String> parameters = new HashMap<>();
        for (int i = 0; i < pattern.size(); i++) {
            String segment = pattern.get(i);
            if (Route.isParameter(segment) && !asked.get(i).isBlank()) {
                parameters.put(segment.substring(1, segment.length() - 1), asked.get(i));
            } else if (!segment.equals(asked.get(i))) {
                return Optional.empty();
            }
        }
        return Optional.of(parameters);
    }
}
