package dev.skep.fleet.nemesis;

import dev.skep.testkit.Eventually;
import dev.skep.testkit.FakeClock;
import dev.skep.testkit.Relay;
import dev.skep.transport.route.JsonFields;
import java.io.IOException;
import java.net.http.HttpClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Hubs and runners, a relay on each link between them, in a folder. */
final class FaultyFleet implements AutoCloseable {
    static final String ORG = "/api/orgs/default";
    static final String RUNNER = "runner-";
    static final String MODEL = "scripted:reader.script.yaml";

    /** How long processes may take to be up on a machine that faults befall. */
    static final Duration UP_WITHIN = Duration.ofMinutes(2);

    /** Reads its mail and waits for more, for ever. */
    private static final String SCRIPT =
            """
            steps:
              - when: { summary: true }
                say: I read mail.
              - when: { last: New mail }
                run: [mail read]
              - when: { last: No unread mail }
                run: [mail wait]
              - run: [mail read]
            """;

    private final Path folder;
    final List<NemesisProcess> hubs = new ArrayList<>();
    final List<NemesisProcess> runners = new ArrayList<>();
    final Map<String, Relay> links = new LinkedHashMap<>();

    /** Names of the processes of a fleet of that size. */
    static List<String> processNames(int hubs, int runners) {
        List<String> names = new ArrayList<>();
        for (int hub = 1; hub <= hubs; hub++) {
            names.add("hub-" + hub);
        }
        for (int runner = 1; runner <= runners; runner++) {
            names.add(RUNNER + runner);
        }
        return names;
    }

    /** Names of the links between them. */
    static List<String> linkNames(int hubs, int runners) {
        List<String> names = new ArrayList<>();
        for (int runner = 1; runner <= runners; runner++) {
            for (int hub = 1; hub <= hubs; hub++) {
                names.add(linkName(RUNNER + runner, "hub-" + hub));
            }
        }
        return names;
    }

    private static String linkName(String runner, String hub) {
        return runner + ">" + hub;
    }

    FaultyFleet(Path folder, int hubs, int runners, boolean withDisks, boolean withClocks)
            throws IOException {
        this.folder = folder;
        Files.createDirectories(folder.resolve("tmp"));
        try {
            for (String name : processNames(hubs, runners)) {
                boolean isHub = !name.startsWith(RUNNER);
                NemesisProcess made =
                        new NemesisProcess(
                                folder,
                                name,
                                isHub,
                                isHub ? List.of() : relays(name),
                                withClocks ? Optional.of(clock(name)) : Optional.empty(),
                                withDisks
                                        ? Optional.of(ProcessDisk.at(folder.resolve(name)))
                                        : Optional.empty());
                (isHub ? this.hubs : this.runners).add(made);
                settle(made);
            }
        } catch (IOException | RuntimeException e) {
            close();
            throw e;
        }
    }

    private FakeClock clock(String name) throws IOException {
        return FakeClock.in(Files.createDirectories(folder.resolve(name + ".clock")));
    }

    private List<String> relays(String runner) {
        List<String> urls = new ArrayList<>();
        for (NemesisProcess hub : hubs) {
            Relay relay = new Relay(hub.port);
            links.put(linkName(runner, hub.name), relay);
            urls.add(relay.url());
        }
        return urls;
    }

    /** Gives a runner an agent that reads its mail, and leave to do every job. */
    private static void settle(NemesisProcess made) throws IOException {
        if (made.isHub) {
            Files.createDirectories(made.dataDir);
            return;
        }
        Path agents = Files.createDirectories(made.dataDir.resolve("agents"));
        Files.writeString(agents.resolve("reader.script.yaml"), SCRIPT);
        Files.writeString(
                agents.resolve("reader.yaml"),
                """
                username: %s
                prompt: Read your mail.
                model: %s
                """
                        .formatted(reader(made), MODEL));
        Files.writeString(made.dataDir.resolve("allowed-commands"), "*\n");
    }

    private static String reader(NemesisProcess runner) {
        return "reader-" + runner.name;
    }

    /** Agents that can be mailed. */
    List<String> readers() {
        return runners.stream().map(FaultyFleet::reader).toList();
    }

    List<NemesisProcess> all() {
        List<NemesisProcess> all = new ArrayList<>(hubs);
        all.addAll(runners);
        return all;
    }

    NemesisProcess named(String name) {
        return all().stream().filter(each -> each.name.equals(name)).findFirst().orElseThrow();
    }

    /** Starts all and waits until every hub knows every runner. */
    void start(HttpClient client) {
        all().forEach(NemesisProcess::start);
        Eventually.holds(
                "the fleet is up",
                UP_WITHIN,
                () -> {
                    all().stream()
                            .flatMap(each -> each.unexpectedEndings().stream())
                            .findFirst()
                            .ifPresent(
                                    ending -> {
                                        throw new IllegalStateException(ending);
                                    });
                    return hubs.stream().allMatch(hub -> knowsAll(client, hub));
                });
    }

    private boolean knowsAll(HttpClient client, NemesisProcess hub) {
        try {
            return CallOutcome.of(client, hub, "GET", ORG + "/hosts", Map.of())
                            instanceof CallOutcome.Yes(JsonFields fields)
                    && fields.list("hosts").stream()
                                    .filter(host -> host.shown("name").startsWith(RUNNER))
                                    .count()
                            == runners.size();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /** Copies what would be gone with the disks. */
    void keep() throws IOException {
        for (NemesisProcess each : all()) {
            each.kill();
            if (each.disk.isPresent()) {
                each.disk.get().free();
                new ProcessBuilder(
                                "cp",
                                "-a",
                                folder.resolve(each.name).toString(),
                                folder.resolve(each.name + ".kept").toString())
                        .start()
                        .onExit()
                        .join();
            }
        }
    }

    @Override
    public void close() throws IOException {
        for (NemesisProcess each : all()) {
            each.close();
            Path kept = folder.resolve(each.name + ".kept");
            if (Files.exists(kept)) {
                Files.delete(folder.resolve(each.name));
                Files.move(kept, folder.resolve(each.name));
            }
        }
        for (Relay relay : links.values()) {
            relay.close();
        }
    }
}
