package dev.skep.cli.config;

import java.net.URI;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Where the one listener listens.
 *
 * @param publicUrl where others reach it, if a proxy stands before it
 */
public record ListenConfig(String address, int port, Optional<URI> publicUrl) {
    static final String DEFAULT = "127.0.0.1:4280";
    private static final Pattern ADDRESS_AND_PORT =
            Pattern.compile("(?:(\\[[0-9A-Fa-f:.]+]|[^:\\[\\]\\s]+):)?([0-9]{1,5})");

    private static final Pattern PUBLIC =
            Pattern.compile("(https?://[A-Za-z0-9_]([A-Za-z0-9._-]*[A-Za-z0-9])?(:[0-9]{1,5})?)/?");

    static ListenConfig read(SettingValue listen, SettingValue publicUrl, ConfigProblems problems) {
        Optional<URI> reached = reached(publicUrl, problems);
        Matcher parts = ADDRESS_AND_PORT.matcher(listen.text());
        if (!parts.matches() || Integer.parseInt(parts.group(2)) > 65_535) {
            problems.add(
                    listen.named()
                            + " is not an address: \""
                            + listen.text()
                            + "\"; write ADDRESS:PORT, for example "
                            + DEFAULT
                            + ", with a port up to 65535");
            return new ListenConfig("127.0.0.1", 4280, reached);
        }
        String address = parts.group(1) == null ? "127.0.0.1" : parts.group(1);
        return new ListenConfig(address, Integer.parseInt(parts.group(2)), reached);
    }

    private static Optional<URI> reached(SettingValue value, ConfigProblems problems) {
        if (value.text().isEmpty()) {
            return Optional.empty();
        }
        Matcher url = PUBLIC.matcher(value.text());
        if (!url.matches()) {
            problems.add(
                    "%s is not an address that people can open: \"%s\"; write for example https://hub.example.org, without a path"
                            .formatted(value.named(), value.text()));
            return Optional.empty();
        }
        return Optional.of(URI.create(url.group(1)));
    }
}
