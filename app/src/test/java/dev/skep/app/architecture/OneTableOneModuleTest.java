package dev.skep.app.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * The SQL on a table stands in the module that owns it, which the list {@code owners} beside the
 * migrations says; what others need of it is a method of its store.
 */
class OneTableOneModuleTest {
    private static final Path ROOT = Path.of("..");
    private static final Path MIGRATIONS =
            ROOT.resolve("store/src/main/resources/dev/skep/store/migration");
    private static final Pattern MODULE = Pattern.compile("<module>([a-z-]+)</module>");
    private static final Pattern CREATED = Pattern.compile("CREATE TABLE (\\w+)");

    /** Comments and characters are matched so that a quote in them begins no text. */
    private static final Pattern TOKEN =
            Pattern.compile(
                    "//[^\\n]*|/\\*(?s:.*?)\\*/|'(?:[^'\\\\]|\\\\.)+'"
                            + "|\"\"\"(?<block>(?s:.*?))\"\"\"|\"(?<text>(?:[^\"\\\\\\n]|\\\\.)*)\"");

    /** The tables of a statement, which may stand in a list with commas. */
    private static final Pattern NAMED =
            Pattern.compile(
                    "\\b(?:FROM|JOIN|INTO|UPDATE|TABLE)\\s+(\\w+)"
                            + "(?:\\s+(?:AS\\s+)?[a-z]\\w*)?(?:\\s*,\\s*(\\w+))?");

    private static final Pattern BULK = Pattern.compile("new BulkInsert\\(\\s*\"(\\w+)\"");

    private static final String JOINED =
            "one statement that joins both; the other way is a query per row";
    private static final String NEVER_SHIPPED =
            "never shipped: looks into databases from outside, as an operator would";

    /** Sources that name another module's table, and why they may. It only ever gets shorter. */
    private static final Map<String, String> ALLOWED =
            Map.ofEntries(
                    Map.entry("agents/AgentStore: hosts", JOINED),
                    Map.entry("agents/AgentStore: name_claims", JOINED),
                    Map.entry("directory/HostNames: host_health", JOINED),
                    Map.entry("dispatch/HostConnections: connections", JOINED),
                    Map.entry("dispatch/HostConnections: nodes", JOINED),
                    Map.entry("store/DatabaseCopy: local_host", "copies any database, has no host"),
                    Map.entry("sync/OwnershipGrantStore: users", JOINED),
                    Map.entry("sync/SyncProgressStore: hosts", JOINED),
                    Map.entry("sync/SyncReports: hosts", JOINED),
                    Map.entry("benchmark/HubChild: hub_sync_state", NEVER_SHIPPED),
                    Map.entry("benchmark/ManyAgents: context_log", NEVER_SHIPPED),
                    Map.entry("benchmark/PlainJdbc: context_log", NEVER_SHIPPED),
                    Map.entry("fleet/AgentHost: context_log", NEVER_SHIPPED),
                    Map.entry("fleet/AgentHost: costs", NEVER_SHIPPED),
                    Map.entry("fleet/AgentHost: mail_messages", NEVER_SHIPPED),
                    Map.entry("fleet/AgentHost: mail_recipients", NEVER_SHIPPED),
                    Map.entry("fleet/AgentHost: users", NEVER_SHIPPED),
                    Map.entry("fleet/DatabaseRows: job_runs", NEVER_SHIPPED),
                    Map.entry("fleet/DatabaseRows: jobs", NEVER_SHIPPED),
                    Map.entry("fleet/DatabaseRows: local_host", NEVER_SHIPPED),
                    Map.entry("fleet/DatabaseRows: operators", NEVER_SHIPPED),
                    Map.entry("fleet/DatabaseRows: sync_quarantine", NEVER_SHIPPED),
                    Map.entry("simulation/SqliteMachineStore: hub_sync_state", NEVER_SHIPPED),
                    Map.entry("simulation/SqliteMachineStore: sync_quarantine", NEVER_SHIPPED));

    @Test
    void every_table_has_one_owner() throws IOException {
        TreeSet<String> created = new TreeSet<>(List.of("schema_version"));
        try (Stream<Path> files = Files.list(MIGRATIONS)) {
            for (Path file : files.filter(f -> f.toString().endsWith(".sql")).toList()) {
                CREATED.matcher(Files.readString(file))
                        .results()
                        .forEach(found -> created.add(found.group(1)));
            }
        }
        assertThat(owners().keySet()).isEqualTo(created);
        assertThat(modules()).containsAll(owners().values());
    }

    @Test
    void a_statement_names_only_tables_of_its_module() throws IOException {
        Map<String, String> owners = owners();
        TreeSet<String> foreign = new TreeSet<>();
        TreeSet<String> named = new TreeSet<>();
        for (String module : modules()) {
            for (Path source : sources(module)) {
                String type = source.getFileName().toString().replace(".java", "");
                for (String table : tablesIn(Files.readString(source))) {
                    String owner = owners.get(table);
                    if (owner != null) {
                        named.add(table);
                        if (!owner.equals(module)) {
                            foreign.add("%s/%s: %s".formatted(module, type, table));
                        }
                    }
                }
            }
        }

        assertThat(named).contains("hosts", "context_log", "nodes", "job_runs", "host_slots");
        assertThat(foreign)
                .as("statements on another module's table; give its store a method instead")
                .isSubsetOf(ALLOWED.keySet());
        assertThat(ALLOWED.keySet())
                .as("allowances nobody needs any more; remove them")
                .isSubsetOf(foreign);
    }

    @Test
    void tables_are_found_wherever_a_statement_names_them() {
        assertThat(
                        tablesIn(
                                """
                                // "FROM commented"
                                char quote = '"';
                                String a = "SELECT 1 FROM first f, second WHERE x = \\"FROM\\"";
                                String b = ""\"
                                    UPDATE third SET x = 1 FROM (SELECT 2
                                    FROM
                                        fourth) JOIN fifth ON true""\";
                                Object c = new BulkInsert(
                                        "sixth", columns);
                                """))
                .containsExactlyInAnyOrder("first", "second", "third", "fourth", "fifth", "sixth");
    }

    private static Set<String> tablesIn(String source) {
        Set<String> tables = new TreeSet<>();
        TOKEN.matcher(source)
                .results()
                .flatMap(OneTableOneModuleTest::statement)
                .flatMap(text -> NAMED.matcher(text).results())
                .flatMap(
                        found ->
                                Stream.concat(
                                        Stream.ofNullable(found.group(1)),
                                        Stream.ofNullable(found.group(2))))
                .forEach(tables::add);
        BULK.matcher(source).results().forEach(found -> tables.add(found.group(1)));
        return tables;
    }

    private static Stream<String> statement(MatchResult token) {
        String block = token.group("block");
        return Stream.ofNullable(block == null ? token.group("text") : block);
    }

    private static Map<String, String> owners() throws IOException {
        Map<String, String> owners = new TreeMap<>();
        for (String line : Files.readAllLines(MIGRATIONS.resolve("owners"))) {
            String[] parts = line.split(": ", 2);
            for (String table : parts[1].split(" ", -1)) {
                assertThat(owners.put(table, parts[0])).as(table + " has two owners").isNull();
            }
        }
        return owners;
    }

    private static List<String> modules() throws IOException {
        return MODULE.matcher(Files.readString(ROOT.resolve("pom.xml")))
                .results()
                .map(found -> found.group(1))
                .toList();
    }

    private static List<Path> sources(String module) throws IOException {
        Path java = ROOT.resolve(module).resolve("src/main/java");
        if (!Files.isDirectory(java)) {
            return List.of();
        }
        try (Stream<Path> files = Files.walk(java)) {
            return files.filter(file -> file.toString().endsWith(".java"))
                    .collect(Collectors.toList());
        }
    }
}
