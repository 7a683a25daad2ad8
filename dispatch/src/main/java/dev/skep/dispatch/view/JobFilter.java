package dev.skep.dispatch.view;

import java.util.Optional;

/**
 * Which jobs to show, newest first.
 *
 * @param before the id the page before ended with
 */
public record JobFilter(
        Optional<String> status,
        Optional<String> host,
        Optional<String> server,
        Optional<String> type,
        Optional<String> before,
        int limit) {
    /** The newest jobs of all. */
    public static JobFilter newest(int limit) {
        Optional<String> any = Optional.empty();
        return new JobFilter(any, any, any, any, any, limit);
    }

    public JobFilter withStatus(String wanted) {
        return new JobFilter(Optional.of(wanted), host, server, type, before, limit);
    }

    public JobFilter withHost(String wanted) {
        return new JobFilter(status, Optional.of(wanted), server, type, before, limit);
    }
}
