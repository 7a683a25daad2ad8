package dev.skep.worker;

import dev.skep.kernel.error.ErrorCode;
import dev.skep.kernel.error.SkepException;
import dev.skep.transport.route.Json;
import dev.skep.transport.route.JsonFields;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** What a server instance runs, and when it is to be run again. */
record ServerSpec(
        String command, Optional<String> cwd, Map<String, String> environment, Restart restart) {

    /** When a process that ended is started again. */
    enum Restart {
        NEVER,
        ON_FAILURE,
        ALWAYS;

        static Restart of(String text) {
            return Arrays.stream(values())
                    .filter(restart -> restart.label().equals(text))
                    .findFirst()
                    .orElseThrow(
                            () ->
                                    new SkepException(
                                            ErrorCode.BAD_REQUEST,
                                            "restart must be never, on-failure or always"));
        }

        String label() {
            return name().replace('_', '-').toLowerCase(Locale.ROOT);
        }
    }

    static ServerSpec of(JsonFields spec) {
        return new ServerSpec(
                spec.text("command"),
                spec.optionalText("cwd"),
                spec.object("env").map(JsonFields::texts).orElse(Map.of()),
                Restart.of(spec.optionalText("restart").orElse("on-failure")));
    }

    HostRules.RequestedCommand requestedCommand() {
        return new HostRules.RequestedCommand(command, cwd, environment);
    }

    String json() {
        Map<String, Object> all = new TreeMap<>();
        all.put("command", command);
        cwd.ifPresent(path -> all.put("cwd", path));
        all.put("env", environment);
        all.put("restart", restart.label());
        return Json.text(all);
    }
}
