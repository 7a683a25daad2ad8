package dev.skep.dispatch.host;

import dev.skep.directory.host.HostNames;
import dev.skep.kernel.consent.Consent;
import dev.skep.kernel.consent.Consents;
import dev.skep.kernel.id.HostId;
import dev.skep.kernel.identity.Principal;
import dev.skep.store.ResultRow;
import dev.skep.store.Snapshot;
import dev.skep.transport.route.Json;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Hosts with what tests of labels see: what they report of themselves, and operators' labels. */
public final class LabelledHosts {
    private LabelledHosts() {}

    /**
     * One host.
     *
     * @param labels an operator's label goes before a fact of the same name
     * @param allows what it lets this hub do; null if it does not report that
     */
    public record LabelledHost(
            HostId id, String name, Map<String, String> labels, @Nullable Consents allows) {
        public LabelledHost {
            labels = Map.copyOf(labels);
        }

        /** Whether the hub need not ask: one that reports nothing decides itself. */
        public boolean mayAllow(Consent consent) {
            return allows == null || allows.has(consent);
        }
    }

    /** All hosts of the caller's org, by name. */
    public static List<LabelledHost> all(Snapshot snapshot, Principal principal) {
        return snapshot.list(
                """
                SELECT h.host_id, coalesce(%s, h.display_name, h.host_id) AS shown, h.labels, h.facts, h.allows
                FROM host_health h WHERE h.org_id = ? ORDER BY shown, h.host_id
                """
                        .formatted(HostNames.sql("h.host_id", "h.org_id")),
                LabelledHosts::host,
                principal.org().value());
    }

    private static LabelledHost host(ResultRow row) {
        Map<String, String> labels = new HashMap<>(texts(row.textOrNull("facts")));
        labels.putAll(texts(row.textOrNull("labels")));
        String allows = row.textOrNull("allows");
        return new LabelledHost(
                new HostId(row.text("host_id")),
                row.text("shown"),
                labels,
                allows == null ? null : Consents.parse(allows));
    }

    private static Map<String, String> texts(@Nullable String json) {
        return json == null ? Map.of() : Json.fields(json).texts();
    }
}
