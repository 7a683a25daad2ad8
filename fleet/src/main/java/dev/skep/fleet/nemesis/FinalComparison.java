package dev.skep.fleet.nemesis;

import dev.skep.fleet.nemesis.Acknowledgements.Kind;
import dev.skep.fleet.nemesis.Acknowledgements.Thing;
import dev.skep.fleet.nemesis.DatabaseRows.Row;
import dev.skep.kernel.error.SkepException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * What is wrong with the fleet now: the ledger against every database, databases against each
 * other, and what jobs did against what is said of them.
 */
final class FinalComparison {
    private static final Set<String> OPEN = Set.of("pending", "running");
    private static final String SUCCEEDED = "succeeded";
    private static final Pattern EFFECT = Pattern.compile("<([^<>\\s]+)>");

    private final List<NemesisProcess> victims;
    private final Acknowledgements ledger;
    private final Map<NemesisProcess, DatabaseRows> databases = new LinkedHashMap<>();
    private final List<String> findings = new ArrayList<>();

    private FinalComparison(List<NemesisProcess> victims, Acknowledgements ledger) {
        this.victims = victims;
        this.ledger = ledger;
    }

    static List<String> findings(List<NemesisProcess> victims, Acknowledgements ledger) {
        FinalComparison comparison = new FinalComparison(victims, ledger);
        comparison.compare();
        return comparison.findings;
    }

    private void compare() {
        for (NemesisProcess nemesisProcess : victims) {
            try {
                databases.put(nemesisProcess, DatabaseRows.of(nemesisProcess.database()));
            } catch (SkepException unreadable) {
                findings.add("%s cannot be read: %s".formatted(nemesisProcess.name, unreadable));
                return;
            }
        }
        findings.addAll(ReplicaComparison.findings(databases));
        databases.forEach(
                (nemesisProcess, rows) -> {
                    rows.quarantine().stream()
                            .distinct()
                            .forEach(
                                    row ->
                                            findings.add(
                                                    "%s has quarantined %s"
                                                            .formatted(nemesisProcess.name, row)));
                    compareMail(nemesisProcess, rows);
                    compareAgents(nemesisProcess, rows);
                    compareNodes(nemesisProcess, rows);
                    if (nemesisProcess.isHub) {
                        compareOperators(nemesisProcess, rows);
                        compareJobs(nemesisProcess, rows);
                    }
                });
    }

    private NemesisProcess owner(Thing thing) {
        return victims.stream().filter(v -> v.name.equals(thing.asked())).findFirst().orElseThrow();
    }

    /** A thing that is there so many times. */
    private void expectOnce(
            NemesisProcess where, Thing thing, Set<String> possible, List<String> found) {
        if (found.size() > 1) {
            findings.add("%s is there %d times on %s".formatted(thing, found.size(), where.name));
            return;
        }
        String state = found.isEmpty() ? Acknowledgements.ABSENT : found.getFirst();
        if (!possible.contains(state)) {
            findings.add(
                    "%s is %s on %s, and should be %s"
                            .formatted(thing, state, where.name, possible));
        }
    }

    private void compareMail(NemesisProcess where, DatabaseRows rows) {
        Map<String, List<Row>> bySubject =
                rows.table("mail_messages").values().stream()
                        .collect(Collectors.groupingBy(row -> row.value("subject")));
        Set<String> addressed =
                rows.table("mail_recipients").values().stream()
                        .map(row -> row.value("message_id"))
                        .collect(Collectors.toSet());
        ledger.all(Kind.MAIL)
                .forEach(
                        (mail, possible) -> {
                            if (ReplicaComparison.reaches(true, owner(mail), where)) {
                                List<Row> found = bySubject.getOrDefault(mail.name(), List.of());
                                expectOnce(
                                        where,
                                        mail,
                                        possible,
                                        found.stream().map(_ -> Acknowledgements.THERE).toList());
                                found.stream()
                                        .filter(row -> !addressed.contains(row.value("id")))
                                        .forEach(
                                                _ ->
                                                        findings.add(
                                                                "%s has no recipient on %s"
                                                                        .formatted(
                                                                                mail, where.name)));
                            }
                        });
    }

    private void compareAgents(NemesisProcess where, DatabaseRows rows) {
        Map<String, List<String>> byName =
                rows.table("users").values().stream()
                        .collect(
                                Collectors.groupingBy(
                                        row -> row.value("username"),
                                        Collectors.mapping(
                                                FinalComparison::state, Collectors.toList())));
        ledger.all(Kind.AGENT)
                .forEach(
                        (agent, possible) ->
                                expectOnce(
                                        where,
                                        agent,
                                        possible,
                                        byName.getOrDefault(agent.name(), List.of())));
    }

    private static String state(Row agent) {
        return agent.value("deleted_at").isEmpty() ? AgentWorkload.LIVE : AgentWorkload.REMOVED;
    }

    private void compareNodes(NemesisProcess where, DatabaseRows rows) {
        Map<String, List<String>> byId =
                rows.table("nodes").values().stream()
                        .filter(row -> row.value("removed_at").isEmpty())
                        .filter(row -> row.value("status").equals("active"))
                        .collect(
                                Collectors.groupingBy(
                                        row -> row.value("id"),
                                        Collectors.mapping(
                                                _ -> Acknowledgements.THERE, Collectors.toList())));
        ledger.all(Kind.NODE)
                .forEach(
                        (node, possible) ->
                                expectOnce(
                                        where,
                                        node,
                                        possible,
                                        byId.getOrDefault(node.name(), List.of())));
    }

    private void compareOperators(NemesisProcess hub, DatabaseRows rows) {
        ledger.all(Kind.OPERATOR)
                .forEach(
                        (person, possible) -> {
                            if (person.asked().equals(hub.name)) {
                                String role = rows.operators().get(person.name());
                                expectOnce(
                                        hub,
                                        person,
                                        possible,
                                        role == null ? List.of() : List.of(role));
                            }
                        });
    }

    private void compareJobs(NemesisProcess hub, DatabaseRows rows) {
        Map<String, Long> effects = effects();
        ledger.all(Kind.JOB)
                .forEach(
                        (job, possible) -> {
                            if (job.asked().equals(hub.name)) {
                                List<String> runs = rows.jobs().getOrDefault(job.name(), List.of());
                                expectOnce(
                                        hub,
                                        job,
                                        possible,
                                        runs.isEmpty()
                                                ? List.of()
                                                : List.of(Acknowledgements.THERE));
                                compareRuns(job, runs, effects.getOrDefault(job.name(), 0L));
                            }
                        });
    }

    private void compareRuns(Thing job, List<String> runs, long effects) {
        long successes = runs.stream().filter(SUCCEEDED::equals).count();
        if (runs.stream().anyMatch(OPEN::contains)) {
            findings.add("%s is not over: %s".formatted(job, runs));
        }
        if (successes > 1 || (successes == 1 && !runs.getLast().equals(SUCCEEDED))) {
            findings.add("%s ended more than once: %s".formatted(job, runs));
        }
        if (effects < successes || effects > runs.size()) {
            findings.add("%s ran %d times, and its attempts are %s".formatted(job, effects, runs));
        }
    }

    /** How often each job left its mark on some runner. */
    private Map<String, Long> effects() {
        Map<String, Long> effects = new HashMap<>();
        for (NemesisProcess nemesisProcess : victims) {
            Path file = nemesisProcess.dataDir.resolve(JobWorkload.EFFECTS);
            if (nemesisProcess.isHub || !Files.exists(file)) {
                continue;
            }
            try {
                Matcher found = EFFECT.matcher(Files.readString(file));
                while (found.find()) {
                    effects.merge(found.group(1), 1L, Long::sum);
                }
            } catch (IOException e) {
                findings.add("%s cannot be read: %s".formatted(file, e));
            }
        }
        return effects;
    }
}
