package dev.skep.fleet;

import dev.skep.app.assembly.Assembly;
import dev.skep.app.assembly.Composition;
import dev.skep.kernel.lifecycle.Lifecycle;
import dev.skep.runner.terminal.Terminal;
import dev.skep.testkit.Eventually;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/** {@code skep up} with scripted agents for editors: dora and cora, and mara, who asks. */
final class AgentsToOpen implements AutoCloseable {
    private static final String SCRIPT =
            """
            steps:
              - when: { last: 'says: count to (\\d+)' }
                say: "Counting to {{1}}."
                run: [ "seq 1 {{1}}", "session wait" ]
              - when: { last: "says: take your time" }
                say: "I do."
                run: [ "sleep 60" ]
              - when: { last: "says: hello" }
                say: "Hello to you."
                run: [ session wait ]
              - run: [ session wait ]
            """;

    private final Lifecycle lifecycle = new Lifecycle();
    private String url = "";
    private String dataDir = "";
    private String key = "";

    void open(Path data) throws Exception {
        dataDir = data.toString();
        agent(data, "dora", "");
        agent(data, "mara", "protection: manual\nallow: [\"session *\"]\n");
        agent(data, "cora", "");
        Assembly.Opened product =
                new Assembly(TestSettings.up(data), lifecycle, data, "test")
                        .open(Composition.UP, Terminal.none());
        url = product.url();
        HttpVisitor local = HttpVisitor.local(url, data);
        local.post("/api/orgs/default/operators", Map.of("username", "ed", "role", "operator"));
        key =
                local.post(
                                "/api/orgs/default/keys",
                                Map.of("kind", "api", "label", "editor", "operator", "ed"))
                        .text("secret");
        Eventually.holds(
                "the hub knows the agents and they wait",
                () ->
                        local.get("/api/orgs/default/view/agents")
                                        .body()
                                        .split("\"waiting\"")
                                        .length
                                > 3);
    }

    private static void agent(Path data, String name, String more) throws IOException {
        Path agents = Files.createDirectories(data.resolve("agents"));
        Files.writeString(
                agents.resolve(name + ".yaml"),
                "username: %s\nmodel: scripted:%s.script.yaml\nprompt: Help.\n%s"
                        .formatted(name, name, more));
        Files.writeString(agents.resolve(name + ".script.yaml"), SCRIPT);
    }

    String url() {
        return url;
    }

    /** The key of an operator. */
    String key() {
        return key;
    }

    String dataDir() {
        return dataDir;
    }

    /** What the environment of {@code skep acp --hub} needs. */
    Map<String, String> hubKey() {
        return Map.of("SKEP_API_KEY", key);
    }

    @Override
    public void close() {
        lifecycle.close();
    }
}
