package dev.skep.dispatch.host;

import java.util.Optional;

/**
 * Which hosts to show.
 *
 * @param label a label's name and value as {@code env:prod}
 * @param text part of a name or id
 * @param after the id the page before ended with
 */
public record HostFilter(
        Optional<HostStatus> status,
        Optional<String> label,
        Optional<String> text,
        Optional<String> after,
        int limit) {
    public static final HostFilter FIRST =
            new HostFilter(
                    Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty(), 100);
}
