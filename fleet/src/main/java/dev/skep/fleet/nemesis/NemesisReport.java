package dev.skep.fleet.nemesis;

import dev.skep.transport.route.Json;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * How a run went.
 *
 * @param faults those carried out, by kind; {@code leftOut} those that were planned only
 * @param acknowledged what was certainly there at the end, by kind
 * @param calls how they were answered
 * @param quiet how long the fleet took to come right after the last fault
 * @param kept where the history, the logs and the databases are, if something was found
 */
record NemesisReport(
        long seed,
        Duration length,
        Map<String, Integer> faults,
        Map<String, Integer> leftOut,
        Map<String, Integer> acknowledged,
        Map<String, Integer> calls,
        Duration quiet,
        List<String> findings,
        Optional<Path> kept) {
    boolean isClean() {
        return findings.isEmpty();
    }

    String json() {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("seed", seed);
        fields.put("seconds", length.toSeconds());
        fields.put("faults", faults);
        fields.put("leftOut", leftOut);
        fields.put("acknowledged", acknowledged);
        fields.put("calls", calls);
        fields.put("quietAfterSeconds", quiet.toMillis() / 1e3);
        fields.put("findings", findings);
        kept.ifPresent(folder -> fields.put("kept", folder.toString()));
        return Json.text(fields);
    }

    /** For people. */
    String text() {
        StringBuilder text = new StringBuilder();
        text.append("faults        ").append(total(faults)).append(": ").append(faults);
        if (!leftOut.isEmpty()) {
            text.append("\nleft out      ").append(leftOut);
        }
        text.append("\nacknowledged  ").append(acknowledged);
        text.append("\ncalls         ").append(calls);
        text.append("\nquiet after   %.1f s".formatted(quiet.toMillis() / 1e3));
        findings.forEach(finding -> text.append("\nFINDING       ").append(finding));
        kept.ifPresent(folder -> text.append("\nkept          ").append(folder));
        text.append(
                "\nseed %d, %d s: %s"
                        .formatted(
                                seed,
                                length.toSeconds(),
                                isClean() ? "clean" : findings.size() + " findings"));
        return text.toString();
    }

    private static int total(Map<String, Integer> counts) {
        return counts.values().stream().mapToInt(each -> each).sum();
    }
}
