package dev.skep.supervisor.routes;

import dev.skep.agents.view.LogPageStore;
import dev.skep.transport.route.Request;

/** Which lines a request is about. */
final class LogFilters {
    private LogFilters() {}

    static LogPageStore.Filter of(Request request) {
        return new LogPageStore.Filter(
                request.query("host"),
                request.query("agent"),
                request.query("run"),
                request.query("session"),
                request.query("q"),
                request.query("type"));
    }
}
