package dev.skep.app.config;

import dev.skep.transport.http.ListenerConfig;

/** The address to give to people and to other machines. */
public final class PublicUrl {
    private PublicUrl() {}

    public static String of(Configuration configuration) {
        return of(configuration, configuration.listener().port());
    }

    /** As above, where the port was any free one. */
    public static String of(Configuration configuration, int port) {
        ListenerConfig listener = configuration.listener();
        boolean anyAddress =
                listener.address().equals("0.0.0.0") || listener.address().equals("[::]");
        String host =
                listener.names().stream()
                        .sorted()
                        .findFirst()
                        .orElseGet(
                                () ->
                                        anyAddress
                                                ? configuration.host().hostname()
                                                : listener.address());
        return (listener.tls().isPresent() ? "https://" : "http://") + host + ":" + port;
    }
}
