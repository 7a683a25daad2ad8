package dev.skep.runner.jobs;

import dev.skep.transport.route.Fields;
import dev.skep.transport.route.Json;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** What a server instance runs, and when it is to be run again. */
record ServerSpec(
        String command, Optional<Path> cwd, Map<String, String> environment, Restart restart) {

    /** When a process that ended is started again. */
    enum Restart {
        NEVER,
        ON_FAILURE,
        ALWAYS;

        static Restart of(String text) {
            return valueOf(text.replace('-', '_').toUpperCase(Locale.ROOT));
        }

        String label() {
            return name().replace('_', '-').toLowerCase(Locale.ROOT);
        }
    }

    static ServerSpec of(Fields spec) {
        return new ServerSpec(
                spec.text("command"),
                spec.optionalText("cwd").map(Path::of),
                spec.object("env").map(Fields::texts).orElse(Map.of()),
                Restart.of(spec.optionalText("restart").orElse("on-failure")));
    }

    /** Where it runs, below the folder of servers that name none. */
    Path folder(Path home) {
        return cwd.map(home::resolve).orElse(home);
    }

    String json() {
        Map<String, Object> all = new TreeMap<>();
        all.put("command", command);
        cwd.ifPresent(path -> all.put("cwd", path.toString()));
        all.put("env", environment);
        all.put("restart", restart.label());
        return Json.text(all);
    }
}
