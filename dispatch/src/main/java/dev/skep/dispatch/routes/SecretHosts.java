package dev.skep.dispatch.routes;

import dev.skep.dispatch.host.HostDetails;
import dev.skep.dispatch.host.HostFilter;
import dev.skep.dispatch.host.HostQueries;
import dev.skep.dispatch.secret.SecretTarget;
import dev.skep.kernel.id.HostId;
import dev.skep.kernel.identity.Principal;
import dev.skep.store.Snapshot;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Finds the hosts that the targets of secrets name. */
final class SecretHosts {
    private SecretHosts() {}

    /** The hosts that targets name now, by id. */
    static Map<String, HostDetails> of(
            Snapshot snapshot, Principal who, List<SecretTarget> targets) {
        Map<String, HostDetails> hosts = new TreeMap<>();
        for (SecretTarget target : targets) {
            switch (target) {
                case SecretTarget.OneHost(HostId id) ->
                        HostQueries.find(snapshot, who, id, Instant.EPOCH)
                                .ifPresent(host -> hosts.put(host.id(), host));
                case SecretTarget.Labelled(String label) ->
                        labelled(snapshot, who, label).forEach(host -> hosts.put(host.id(), host));
            }
        }
        return hosts;
    }

    private static List<HostDetails> labelled(Snapshot snapshot, Principal who, String label) {
        List<HostDetails> all = new ArrayList<>();
        List<HostDetails> page;
        Optional<String> after = Optional.empty();
        do {
            HostFilter filter =
                    new HostFilter(
                            Optional.empty(),
                            Optional.of(label),
                            Optional.empty(),
                            after,
                            DispatchResponses.LARGEST_PAGE);
            page = HostQueries.list(snapshot, who, filter, Instant.EPOCH);
            all.addAll(page);
            after = page.isEmpty() ? after : Optional.of(page.getLast().id());
        } while (page.size() == DispatchResponses.LARGEST_PAGE);
        return all;
    }

    /** Refuses targets that name a host which is not there; a label may have no host yet. */
    static void requireKnown(Snapshot snapshot, Principal who, List<SecretTarget> targets) {
        for (SecretTarget target : targets) {
            if (target instanceof SecretTarget.OneHost(HostId id)
                    && HostQueries.find(snapshot, who, id, Instant.EPOCH).isEmpty()) {
                throw DispatchResponses.no("host", id.value());
            }
        }
    }
}
