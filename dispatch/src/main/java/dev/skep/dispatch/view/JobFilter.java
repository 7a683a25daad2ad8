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
        int limit) {}
