package dev.skep.dispatch.alert;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;

/**
 * Addresses of pages about what an alert is about. Opening one shows the page to whoever is signed
 * in, and does nothing else. Thread-safe.
 */
public final class CardLinks {
    private volatile String base = "";

    /** Where the pages are, known once the process listens. */
    public void reachedAt(String publicUrl) {
        base = publicUrl.endsWith("/") ? publicUrl.substring(0, publicUrl.length() - 1) : publicUrl;
    }

    /** Empty before the process listens. */
    public String of(String subject) {
        if (base.isEmpty()) {
            return "";
        }
        int colon = subject.indexOf(':');
        String id = URLEncoder.encode(subject.substring(colon + 1), StandardCharsets.UTF_8);
        return base
                + switch (subject.substring(0, Math.max(0, colon))) {
                    case "approval" -> "/approvals/" + id;
                    case "agent" -> "/agents/" + id;
                    case "job" -> "/jobs/" + id;
                    case "host" -> "/hosts/" + id;
                    case "mail" -> "/mail?id=" + id;
                    case "channel" -> "/settings/notifications";
                    default -> "/alerts";
                };
    }
}
