package dev.skep.supervisor.feature;

import dev.skep.agents.AgentStore;
import dev.skep.dispatch.host.LabelledHosts;
import dev.skep.dispatch.host.LabelledHosts.LabelledHost;
import dev.skep.kernel.consent.Consent;
import dev.skep.kernel.error.ErrorCode;
import dev.skep.kernel.error.SkepException;
import dev.skep.kernel.id.HostId;
import dev.skep.kernel.identity.Principal;
import dev.skep.kernel.label.HostSelector;
import dev.skep.store.Database;
import dev.skep.supervisor.source.AgentFiles.HostChoice;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Chooses the host of a new agent: of those that pass the tests, are connected and let this hub
 * bring agents, the one with the fewest, by name where several have as few.
 */
final class AgentHostChooser {
    private static final int SHOWN = 5;

    private final Database database;
    private final AgentStore agents;
    private final Predicate<HostId> isConnected;

    AgentHostChooser(Database database, AgentStore agents, Predicate<HostId> isConnected) {
        this.database = database;
        this.agents = agents;
        this.isConnected = isConnected;
    }

    /** The host by its id or name, whether or not it is connected. */
    LabelledHost named(Principal who, String word) {
        List<LabelledHost> all = all(who);
        List<LabelledHost> meant =
                all.stream()
                        .filter(host -> host.id().value().equals(word))
                        .findFirst()
                        .map(List::of)
                        .orElseGet(() -> all.stream().filter(h -> h.name().equals(word)).toList());
        if (meant.isEmpty()) {
            throw new SkepException(
                    ErrorCode.NOT_FOUND,
                    "there is no host %s; 'skep hosts' lists them".formatted(word));
        }
        if (meant.size() > 1) {
            throw new SkepException(
                    ErrorCode.CONFLICT,
                    "%d hosts are called %s; name one by its id".formatted(meant.size(), word));
        }
        return meant.getFirst();
    }

    private List<LabelledHost> all(Principal who) {
        return database.read(snapshot -> LabelledHosts.all(snapshot, who));
    }

    /** The host that passes the tests and has room; throws with the reason if none does. */
    LabelledHost chosen(Principal who, HostSelector where) {
        List<LabelledHost> all = all(who);
        List<LabelledHost> fitting = all.stream().filter(h -> where.fits(h.labels())).toList();
        if (fitting.isEmpty()) {
            throw new SkepException(ErrorCode.CONFLICT, nobody(all, where));
        }
        Map<HostId, Long> counts = agents.countsByHost(who);
        return fitting.stream()
                .filter(host -> obstacle(host) == null)
                .min(
                        Comparator.comparingLong(
                                        (LabelledHost host) -> counts.getOrDefault(host.id(), 0L))
                                .thenComparing(LabelledHost::name)
                                .thenComparing(host -> host.id().value()))
                .orElseThrow(
                        () ->
                                new SkepException(
                                        ErrorCode.CONFLICT,
                                        "no host that passes '%s' can take an agent now: %s"
                                                .formatted(where, obstacles(fitting))));
    }

    private static String nobody(List<LabelledHost> all, HostSelector where) {
        return where.failsEverywhere(all.stream().map(LabelledHost::labels).toList())
                .map(test -> "no host passes '%s': nobody has %s".formatted(where, test))
                .orElse("no host passes all of '%s', only one or the other".formatted(where));
    }

    private String obstacles(List<LabelledHost> hosts) {
        return hosts.stream()
                        .limit(SHOWN)
                        .map(host -> host.name() + " " + obstacle(host))
                        .collect(Collectors.joining("; "))
                + (hosts.size() > SHOWN ? "; …" : "");
    }

    private @Nullable String obstacle(LabelledHost host) {
        if (!host.mayAllow(Consent.AGENTS)) {
            return "does not allow 'agents' to this hub ('skep allow' there changes it)";
        }
        return isConnected.test(host.id()) ? null : "is not connected";
    }

    /** Those that pass the tests, by name. */
    List<HostChoice> choices(Principal who, HostSelector where) {
        Map<HostId, Long> counts = agents.countsByHost(who);
        return all(who).stream()
                .filter(host -> where.fits(host.labels()))
                .map(
                        host ->
                                new HostChoice(
                                        host.id().value(),
                                        host.name(),
                                        Math.toIntExact(counts.getOrDefault(host.id(), 0L)),
                                        obstacle(host)))
                .toList();
    }
}
