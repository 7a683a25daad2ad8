package dev.skep.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.skep.app.assembly.Assembly;
import dev.skep.app.assembly.Composition;
import dev.skep.kernel.lifecycle.Lifecycle;
import dev.skep.runner.terminal.Terminal;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.json.JsonMapper;

/**
 * The whole product in one process, asked over HTTP by an admin of another org: for every route of
 * its table and every parameter, an id that exists elsewhere is answered like one that does not.
 */
final class OrgsStayApartTest {
    private static final String NONSENSE = "01JZZZZZZZZZZZZZZZZZZZZZZZ";
    private static final String NOBODY = "01JYYYYYYYYYYYYYYYYYYYYYYY";

    /** Parameters that name no row of an org: a word of the API itself. */
    private static final Map<String, String> WORDS =
            Map.of("action", "pause", "topic", "hosts", "session", "1", "database", "hub");

    @Test
    void another_orgs_ids_are_answered_like_nonsense(@TempDir Path folder) throws Exception {
        try (var lifecycle = new Lifecycle()) {
            Assembly.Opened product =
                    new Assembly(TestSettings.up(folder), lifecycle, folder, "test")
                            .open(Composition.UP, Terminal.none());
            var admin = HttpVisitor.local(product.url(), folder);
            Map<String, String> theirs = SampleFleet.settle(admin, product.main().database());
            admin.post("/api/orgs", Map.of("id", "acme", "name", "acme"));
            HttpVisitor eve = admin.operatorOf("acme", "eve");

            var findings = new TreeSet<String>();
            for (Asked asked : asked(eve.get("/api/openapi.json").body())) {
                for (String parameter : asked.parameters()) {
                    if (WORDS.containsKey(parameter)) {
                        continue;
                    }
                    if (!theirs.containsKey(parameter)) {
                        findings.add(asked + ": there is no {%s} to ask for".formatted(parameter));
                        continue;
                    }
                    String known = theirs.get(parameter);
                    String foreign = eve.call(asked.method(), asked.with(parameter, known));
                    String unknown = eve.call(asked.method(), asked.with(parameter, NONSENSE));
                    if (!foreign.replace(known, "ID").equals(unknown.replace(NONSENSE, "ID"))
                            || foreign.startsWith("2")) {
                        findings.add(
                                "%s by %s: %s, but %s"
                                        .formatted(asked, parameter, foreign, unknown));
                    }
                }
            }
            assertThat(findings).isEmpty();
        }
    }

    /** One route as the document shows it. */
    private record Asked(String method, String path) {
        List<String> parameters() {
            return List.of(path.split("/", -1)).stream()
                    .filter(segment -> segment.startsWith("{"))
                    .map(segment -> segment.substring(1, segment.length() - 1))
                    .toList();
        }

        /** The path with one id; the org is the asker's own, and other ids are nonsense. */
        String with(String parameter, String id) {
            String filled = path.replace("{" + parameter + "}", id).replace("{org}", "acme");
            for (String other : parameters()) {
                filled = filled.replace("{" + other + "}", WORDS.getOrDefault(other, NOBODY));
            }
            return filled;
        }
    }

    private static List<Asked> asked(String document) {
        var all = new TreeMap<String, Asked>();
        for (var path : JsonMapper.shared().readTree(document).get("paths").properties()) {
            for (var method : path.getValue().propertyNames()) {
                all.put(
                        path.getKey() + method,
                        new Asked(method.toUpperCase(Locale.ROOT), path.getKey()));
            }
        }
        return List.copyOf(all.values());
    }
}
