package dev.skep.dispatch.queue.redis;

import dev.skep.kernel.error.ErrorCode;
import dev.skep.kernel.error.SkepException;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisConnectionException;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.pubsub.RedisPubSubAdapter;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import java.time.Duration;
import java.util.function.Consumer;

/** The connection to Redis. It reconnects by itself, and calls fail at once while it is down. */
public final class RedisConnection implements AutoCloseable {
    private final RedisClient client;
    private final StatefulRedisConnection<String, String> connection;

    private RedisConnection(
            RedisClient client, StatefulRedisConnection<String, String> connection) {
        this.client = client;
        this.connection = connection;
    }

    /** Connects to {@code redis://host:port}, as in QUEUE_URL. */
    public static RedisConnection open(String url) {
        RedisURI uri = RedisURI.create(url);
        uri.setTimeout(Duration.ofSeconds(5));
        RedisClient client = RedisClient.create(uri);
        client.setOptions(
                ClientOptions.builder()
                        .disconnectedBehavior(ClientOptions.DisconnectedBehavior.REJECT_COMMANDS)
                        .build());
        try {
            return new RedisConnection(client, client.connect());
        } catch (RedisConnectionException e) {
            client.shutdown();
            throw new SkepException(
                    ErrorCode.QUEUE_UNREACHABLE,
                    "cannot reach Redis at %s:%d; check QUEUE_URL"
                            .formatted(uri.getHost(), uri.getPort()),
                    e);
        }
    }

    StatefulRedisConnection<String, String> connection() {
        return connection;
    }

    /** Receives what any hub publishes on a channel. */
    void listen(String channel, Consumer<String> listener) {
        StatefulRedisPubSubConnection<String, String> listening = client.connectPubSub();
        listening.addListener(
                new RedisPubSubAdapter<String, String>() {
                    @Override
                    public void message(String on, String message) {
                        listener.accept(message);
                    }
                });
        listening.sync().subscribe(channel);
    }

    @Override
    public void close() {
        connection.close();
        client.shutdown(Duration.ZERO, Duration.ofSeconds(2));
    }
}
