package dev.skep.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.skep.kernel.lifecycle.Component;
import dev.skep.kernel.lifecycle.Lifecycle;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

class StartingAndClosingTest {
    private final List<String> happened = Collections.synchronizedList(new ArrayList<>());
    private final Lifecycle lifecycle = new Lifecycle(Duration.ofMillis(300));

    @Test
    void components_close_in_the_reverse_order_of_their_start() {
        lifecycle.start("store", component("store"));
        lifecycle.start("listener", component("listener"));
        lifecycle.close();
        lifecycle.close();

        assertThat(happened)
                .containsExactly("start store", "start listener", "close listener", "close store");
        assertThat(lifecycle.unfinished()).isEmpty();
    }

    @Test
    void a_failed_start_closes_what_had_started() {
        lifecycle.start("store", component("store"));

        assertThatThrownBy(() -> lifecycle.start("bad", failingToStart()))
                .hasMessage("port in use");
        assertThat(happened).containsExactly("start store", "close store");
    }

    @Test
    void a_component_that_hangs_or_fails_is_named_and_the_others_still_close() {
        CountDownLatch never = new CountDownLatch(1);
        lifecycle.own("first", () -> happened.add("close first"));
        lifecycle.own("hanging", never::await);
        lifecycle.own(
                "failing",
                () -> {
                    throw new IllegalStateException("no");
                });
        lifecycle.close();
        never.countDown();

        assertThat(lifecycle.unfinished()).containsExactly("failing", "hanging");
        assertThat(happened).contains("close first");
    }

    private Component failingToStart() {
        return new Component() {
            @Override
            public void start() {
                throw new IllegalStateException("port in use");
            }

            @Override
            public void close() {}
        };
    }

    private Component component(String name) {
        return new Component() {
            @Override
            public void start() {
                happened.add("start " + name);
            }

            @Override
            public void close() {
                happened.add("close " + name);
            }
        };
    }
}
