package dev.skep.supervisor.routes;

import dev.skep.agents.view.LogPageStore;
import dev.skep.transport.describe.Operation;
import dev.skep.transport.route.Request;

/** Which lines a request is about. */
final class LogFilters {
    private LogFilters() {}

    static Operation described(Operation operation) {
        return operation
                .query("host", String.class, "only of this host")
                .query("agent", String.class, "only of this agent")
                .query("run", String.class, "only of this run")
                .query("session", String.class, "only of this session of the run")
                .query("q", String.class, "what is looked for")
                .query("type", String.class, "only lines of this type");
    }

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
