package dev.skep.conformance.dispatch;

import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests of every engine, each with a queue of its own. */
@ParameterizedClass
@EnumSource(QueueEngine.class)
abstract class EachEngine {
    static final Duration LEASE = Duration.ofSeconds(30);

    @Parameter QueueEngine engine = QueueEngine.SQLITE;
    QueueFixture queue;

    @BeforeEach
    void open() {
        queue = new QueueFixture(engine);
    }

    @AfterEach
    void close() {
        queue.close();
    }
}
