package dev.skep.app.command;

import dev.skep.app.config.Configuration;
import dev.skep.transport.http.ListenerConfig;

/** The address to give to people and to other machines. */
final class PublicUrl {
    private PublicUrl() {}

    static String of(Configuration configuration) {
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
        return (listener.tls().isPresent() ? "https://" : "http://") + host + ":" + listener.port();
    }
}
