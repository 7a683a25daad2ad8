package dev.skep.browser.demo;

import dev.skep.kernel.id.UlidSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Who is in the made-up fleet; the same every time. */
final class DemoPlan {
    private static final List<String> ROLES =
            List.of("gpu", "db", "edge", "build", "crawl", "mail");
    private static final List<String> REGIONS = List.of("ams", "fra", "gru", "sin");
    private static final List<String> ENVIRONMENTS = List.of("prod", "prod", "staging", "lab");
    private static final List<String> PERSONAS =
            List.of(
                    "ada", "basil", "clio", "dara", "enzo", "faye", "gus", "hana", "iris", "juno",
                    "kit", "lena", "milo", "nora", "otto", "pia", "quin", "rosa", "sten", "tess");
    static final List<String> TITLES =
            List.of(
                    "Release engineer",
                    "Log analyst",
                    "Web researcher",
                    "Test writer",
                    "Database keeper",
                    "Support agent",
                    "Code reviewer",
                    "Librarian");
    static final List<String> MODELS =
            List.of("claude-sonnet-4-5", "gpt-5-mini", "gemini-2.5-flash", "qwen3-coder-30b");
    static final List<String> STATES =
            List.of(
                    "active",
                    "active",
                    "waiting",
                    "active",
                    "awaiting_approval",
                    "active",
                    "waiting",
                    "over_budget",
                    "stopped",
                    "paused",
                    "active",
                    "backing_off",
                    "waiting",
                    "failed",
                    "active",
                    "stopped");

    private DemoPlan() {}

    static List<DemoHost> hosts(int count, UlidSource ids) {
        List<DemoHost> hosts = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            String region = REGIONS.get(i / 2 % REGIONS.size());
            String name = "%s-%s-%03d".formatted(ROLES.get(i % ROLES.size()), region, i * 7 + 3);
            String status = i % 23 == 9 ? "offline" : i % 19 == 4 ? "degraded" : "online";
            hosts.add(
                    new DemoHost(
                            ids.next(),
                            name,
                            status,
                            Map.of("env", ENVIRONMENTS.get(i % 4), "region", region)));
        }
        return hosts;
    }

    static String state(int agent) {
        return agent == DemoManagedTurn.AGENT
                ? "awaiting_approval"
                : STATES.get(agent % STATES.size());
    }

    /** Unique names: the twenty, then the twenty with a number. */
    static String persona(int i) {
        String name = PERSONAS.get(i % PERSONAS.size());
        return i < PERSONAS.size() ? name : name + (i / PERSONAS.size() + 1);
    }
}
