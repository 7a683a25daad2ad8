package dev.skep.app.config;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Where the one listener listens. */
public record ListenConfig(String address, int port) {
    static final String DEFAULT = "127.0.0.1:4280";
    private static final Pattern ADDRESS_AND_PORT =
            Pattern.compile("(?:(\\[[0-9A-Fa-f:.]+]|[^:\\[\\]\\s]+):)?([0-9]{1,5})");

    static ListenConfig read(SettingValue listen, Problems problems) {
        Matcher parts = ADDRESS_AND_PORT.matcher(listen.text());
        if (!parts.matches() || Integer.parseInt(parts.group(2)) > 65_535) {
            problems.add(
                    listen.named()
                            + " is no address: \""
                            + listen.text()
                            + "\"; write ADDRESS:PORT, for example "
                            + DEFAULT
                            + ", with a port up to 65535");
            return new ListenConfig("127.0.0.1", 4280);
        }
        String address = parts.group(1) == null ? "127.0.0.1" : parts.group(1);
        return new ListenConfig(address, Integer.parseInt(parts.group(2)));
    }
}
