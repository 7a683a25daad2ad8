package dev.skep.dispatch.queue.redis;

import io.lettuce.core.RedisNoScriptException;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.sync.RedisCommands;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** A Lua script that runs in Redis as one step. */
final class Script {
    private static final String[] NO_KEYS = {};

    private final String text;
    private final String digest;
    private final ScriptOutputType output;

    private Script(String text, String digest, ScriptOutputType output) {
        this.text = text;
        this.digest = digest;
        this.output = output;
    }

    static Script load(RedisCommands<String, String> redis, String name, ScriptOutputType output) {
        try (InputStream in = Script.class.getResourceAsStream(name + ".lua")) {
            if (in == null) {
                throw new IllegalStateException("missing script " + name);
            }
            String text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
            return new Script(text, redis.digest(text), output);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    Object run(RedisCommands<String, String> redis, List<String> arguments) {
        String[] array = arguments.toArray(String[]::new);
        try {
            return redis.<Object>evalsha(digest, output, NO_KEYS, array);
        } catch (RedisNoScriptException e) {
            // A Redis that restarted has forgotten it.
            return redis.<Object>eval(text, output, NO_KEYS, array);
        }
    }
}
