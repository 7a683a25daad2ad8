package dev.skep.dispatch.queue.redis;

import io.lettuce.core.RedisNoScriptException;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.StatefulRedisConnection;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** A Lua script that runs in Redis as one step. */
final class LuaScript {
    private static final String[] NO_KEYS = {};

    private final StatefulRedisConnection<String, String> redis;
    private final String text;
    private final String digest;
    private final ScriptOutputType output;

    private LuaScript(
            StatefulRedisConnection<String, String> redis, String text, ScriptOutputType output) {
        this.redis = redis;
        this.text = text;
        this.digest = redis.sync().scriptLoad(text);
        this.output = output;
    }

    static LuaScript load(
            StatefulRedisConnection<String, String> redis, String name, ScriptOutputType output) {
        try (InputStream in = LuaScript.class.getResourceAsStream(name + ".lua")) {
            if (in == null) {
                throw new IllegalStateException("missing script " + name);
            }
            return new LuaScript(
                    redis, new String(in.readAllBytes(), StandardCharsets.UTF_8), output);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    Object run(List<String> arguments) {
        String[] array = arguments.toArray(String[]::new);
        try {
            return redis.sync().<Object>evalsha(digest, output, NO_KEYS, array);
        } catch (RedisNoScriptException e) {
            // Redis has restarted and lost the script.
            return redis.sync().<Object>eval(text, output, NO_KEYS, array);
        }
    }

    /**
     * Runs it before whatever is sent on this connection later, without waiting for the answer; a
     * Redis that restarted runs it a little after that.
     */
    CompletionStage<Object> send(List<String> arguments) {
        String[] array = arguments.toArray(String[]::new);
        return redis.async()
                .<Object>evalsha(digest, output, NO_KEYS, array)
                .exceptionallyCompose(
                        failure ->
                                failure instanceof RedisNoScriptException
                                        ? redis.async().eval(text, output, NO_KEYS, array)
                                        : CompletableFuture.failedStage(failure));
    }
}
