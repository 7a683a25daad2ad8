package dev.skep.runner;

import dev.skep.agents.Agent;
import dev.skep.agents.AgentMergeStore;
import dev.skep.agents.AgentStore;
import dev.skep.agents.version.AgentVersion;
import dev.skep.agents.version.AgentVersionStore;
import dev.skep.agents.version.FileChange;
import dev.skep.directory.host.LocalHost;
import dev.skep.kernel.id.AgentId;
import dev.skep.kernel.id.UlidSource;
import dev.skep.models.yaml.YamlProblem;
import dev.skep.runner.agent.AgentBundle;
import dev.skep.runner.agent.AgentSource;
import dev.skep.runner.agent.LiteralSecrets;
import dev.skep.shell.redact.Redactor;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Gives each agent's file its row of {@code users}. A file is known by its username, or by its path
 * if the username in it was changed: then the agent was renamed. A removed agent's row stays.
 */
final class AgentRegistrar {
    /** A file with its row. */
    record Registered(Agent agent, AgentSource source) {}

    private final AgentStore store;
    private final AgentMergeStore reunions;
    private final AgentVersionStore versions;
    private final LocalHost host;
    private final UlidSource ids;
    private final InstantSource clock;
    private final Redactor redactor;

    AgentRegistrar(
            RunnerStores stores,
            LocalHost host,
            UlidSource ids,
            InstantSource clock,
            Redactor redactor) {
        this.store = stores.agents();
        this.reunions = stores.reunions();
        this.versions = stores.versions();
        this.host = host;
        this.ids = ids;
        this.clock = clock;
        this.redactor = redactor;
    }

    /** What came of registering files; those of agents that another host took over are problems. */
    record Registration(List<Registered> agents, List<YamlProblem> problems) {}

    /** Registers files in the order given, leads before their subordinates. */
    Registration register(List<AgentSource> sources) {
        Map<String, Agent> byName = new HashMap<>();
        Map<String, Agent> byPath = new HashMap<>();
        for (Agent agent : store.onThisHost()) {
            byName.put(agent.username(), agent);
            if (agent.path() != null) {
                byPath.put(agent.path(), agent);
            }
        }
        Map<AgentId, String> hashes = versions.newestHashes();
        Map<String, FileChange> announced = versions.announced();
        List<Registered> registered = new ArrayList<>();
        List<YamlProblem> problems = new ArrayList<>();
        for (AgentSource source : sources) {
            Agent before = byName.get(source.username());
            if (before == null) {
                before = byPath.get(source.path());
            }
            Optional<YamlProblem> gone = before == null ? takenAway(source) : Optional.empty();
            if (gone.isPresent()) {
                problems.add(gone.get());
                continue;
            }
            if (before == null && !host.awaited().awaited().isEmpty()) {
                problems.add(source.problem("username", "waits for the hubs that may know it"));
                continue;
            }
            LiteralSecrets literal = LiteralSecrets.of(source);
            problems.addAll(literal.problems());
            // An agent from before this rule goes on; it is reported, and stored without the
            // secret.
            if (!literal.values().isEmpty() && !isAsBefore(literal, before)) {
                continue;
            }
            Agent lead = source.lead() == null ? null : byName.get(source.lead());
            Optional<FileChange> change =
                    Optional.ofNullable(announced.get(source.path()))
                            .filter(each -> each.hash().equals(AgentVersion.hash(source.text())));
            change.map(FileChange::path).ifPresent(announced::remove);
            Agent now = agent(source, before, lead == null ? null : lead.id(), change);
            String content = redactor.redact(literal.cleaned().text());
            boolean isKnown = AgentVersion.hash(content).equals(hashes.get(now.id()));
            if (!isKnown || change.isPresent() || !sameRow(now, before)) {
                markIfProvisional(now, before);
                versions.store(now, content, redactor::redact, change);
            }
            byName.put(now.username(), now);
            registered.add(new Registered(now, source));
        }
        // What was announced and is in no file was not written.
        announced.keySet().forEach(versions::end);
        return new Registration(registered, problems);
    }

    /** One that is new, unless a hub that has not answered yet knows it. */
    private void markIfProvisional(Agent agent, @Nullable Agent before) {
        if (before == null && host.awaited().isAnyLeft()) {
            reunions.madeProvisionally(agent.id());
        }
    }

    private boolean isAsBefore(LiteralSecrets literal, @Nullable Agent before) {
        String config = before == null ? null : before.config();
        if (config == null) {
            return false;
        }
        String file = redactor.redact(AgentBundle.parse(config).agent());
        return file.equals(redactor.redact(literal.cleaned().text()))
                || file.equals(redactor.redact(literal.source().text()));
    }

    /** The files of agents that other hosts took over, as they are now. */
    List<YamlProblem> takenAway(List<AgentSource> sources) {
        List<Agent> own = store.onThisHost();
        return sources.stream()
                .filter(source -> own.stream().noneMatch(agent -> isOf(source, agent)))
                .map(this::takenAway)
                .flatMap(Optional::stream)
                .toList();
    }

    static boolean isOf(AgentSource source, Agent agent) {
        return agent.username().equals(source.username()) || source.path().equals(agent.path());
    }

    private Optional<YamlProblem> takenAway(AgentSource source) {
        return store.takenAway(source.username())
                .map(
                        gone ->
                                new YamlProblem(
                                        source.path(),
                                        1,
                                        1,
                                        "username",
                                        "host %s has taken %s over; move this file away"
                                                .formatted(gone.hostName(), source.username())));
    }

    private Agent agent(
            AgentSource source,
            @Nullable Agent before,
            @Nullable AgentId lead,
            Optional<FileChange> change) {
        boolean renamed = before != null && !before.username().equals(source.username());
        return new Agent(
                before == null
                        ? change.map(FileChange::agent).orElseGet(() -> new AgentId(ids.next()))
                        : before.id(),
                host.id(),
                host.name(),
                source.username(),
                source.content().title(),
                Agent.Kind.AGENT,
                source.path(),
                lead,
                redactor.redact(AgentBundle.of(LiteralSecrets.of(source).cleaned()).text()),
                before != null && before.nameConflict() && !renamed,
                before == null ? null : before.deletedAt(),
                before == null ? clock.instant() : before.createdAt());
    }

    private static boolean sameRow(Agent now, @Nullable Agent before) {
        return before != null
                && now.username().equals(before.username())
                && Objects.equals(now.title(), before.title())
                && Objects.equals(now.path(), before.path())
                && Objects.equals(now.lead(), before.lead())
                && Objects.equals(now.config(), before.config());
    }

    /** The mailbox through which people on this machine write to agents; made when first needed. */
    Agent operatorMailbox() {
        String username = "operator-" + host.name().toLowerCase(Locale.ROOT);
        Optional<Agent> found =
                store.onThisHost().stream()
                        .filter(agent -> agent.kind() == Agent.Kind.OPERATOR)
                        .findFirst();
        return found.orElseGet(
                () -> {
                    Agent mailbox =
                            new Agent(
                                    new AgentId(ids.next()),
                                    host.id(),
                                    host.name(),
                                    username,
                                    "Operator of " + host.name(),
                                    Agent.Kind.OPERATOR,
                                    null,
                                    null,
                                    null,
                                    false,
                                    null,
                                    clock.instant());
                    markIfProvisional(mailbox, null);
                    store.put(mailbox);
                    return mailbox;
                });
    }
}
