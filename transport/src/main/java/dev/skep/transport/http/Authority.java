package dev.skep.transport.http;

import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A host with an optional port, as in the Host header or in an origin. */
record Authority(String host, String port) {
    private static final Pattern SHAPE =
            Pattern.compile("(\\[[0-9A-Fa-f:.]+]|[^:\\[\\]/@\\s]+)(?::([0-9]{1,5}))?");

    static Optional<Authority> parse(String text) {
        Matcher parts = SHAPE.matcher(text);
        if (!parts.matches()) {
            return Optional.empty();
        }
        String port = parts.group(2) == null ? "" : parts.group(2);
        return Optional.of(new Authority(parts.group(1).toLowerCase(Locale.ROOT), port));
    }

    /** The authority of an origin, its scheme's default port left out as in the Host header. */
    static Optional<Authority> ofOrigin(String origin) {
        int colon = origin.indexOf("://");
        if (colon < 0) {
            return Optional.empty();
        }
        String defaultPort = origin.startsWith("https") ? "443" : "80";
        return parse(origin.substring(colon + 3)).map(a -> a.withoutPort(defaultPort));
    }

    Authority withoutPort(String defaultPort) {
        return port.equals(defaultPort) ? new Authority(host, "") : this;
    }
}
