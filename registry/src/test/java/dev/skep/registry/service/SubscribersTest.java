package dev.skep.registry.service;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class SubscribersTest {
    private final Subscribers subscribers = new Subscribers();

    /** Keeps what it hears; a dashboard until it is told otherwise. */
    private static final class Listener implements Subscriber {
        final List<String> received = new ArrayList<>();
        final List<String> gathered = new ArrayList<>();
        boolean dashboard = true;
        boolean full;
        boolean cut;

        @Override
        public boolean offer(ByteBuffer frame) {
            return !full && gathered.add(UTF_8.decode(frame).toString());
        }

        @Override
        public void flush() {
            received.addAll(gathered);
            gathered.clear();
        }

        @Override
        public boolean isDashboard() {
            return dashboard;
        }

        @Override
        public void dropped() {
            cut = true;
        }
    }

    @Test
    void a_newcomer_receives_its_init_and_only_what_comes_after() {
        Listener agent = agent();
        news("old");
        Listener late = agent();
        news("new");
        tellEverybody();
        assertThat(agent.received).containsExactly("init", "old", "new");
        assertThat(late.received).containsExactly("init", "new");
    }

    @Test
    void news_reaches_dashboards_before_the_agents_are_through_with_older() {
        List<Listener> agents = Stream.generate(this::agent).limit(1_000).toList();
        Listener dashboard = joined();
        news("first");
        subscribers.sendToDashboards();
        subscribers.sendToNextAgents();
        news("second");
        subscribers.sendToDashboards();
        assertThat(dashboard.received).containsExactly("init", "first", "second");
        assertThat(agents).anyMatch(agent -> agent.received.size() == 1);
        tellEverybody();
        assertThat(agents)
                .allSatisfy(
                        agent ->
                                assertThat(agent.received)
                                        .containsExactly("init", "first", "second"));
        assertThat(dashboard.received).hasSize(3);
    }

    @Test
    void a_dashboard_that_registers_meanwhile_receives_everything_once() {
        List<Listener> all = Stream.generate(this::joined).limit(300).toList();
        for (int i = 0; i < 300; i++) {
            news("n" + i);
            if (i % 3 == 0) {
                subscribers.sendToDashboards();
            }
            all.get(i).dashboard = false;
            subscribers.sendToNextAgents();
        }
        tellEverybody();
        List<String> expected =
                Stream.concat(Stream.of("init"), IntStream.range(0, 300).mapToObj(i -> "n" + i))
                        .toList();
        assertThat(all).allSatisfy(each -> assertThat(each.received).isEqualTo(expected));
    }

    @Test
    void counts_are_for_dashboards_only() {
        Listener agent = agent();
        Listener dashboard = joined();
        subscribers.add(utf8("counts"), true);
        news("joined");
        tellEverybody();
        assertThat(agent.received).containsExactly("init", "joined");
        assertThat(dashboard.received).containsExactly("init", "counts", "joined");
    }

    @Test
    void who_cannot_take_a_frame_is_cut_and_the_others_go_on() {
        Listener slow = agent();
        Listener other = agent();
        slow.full = true;
        news("one");
        tellEverybody();
        slow.full = false;
        news("two");
        tellEverybody();
        assertThat(slow.cut).isTrue();
        assertThat(slow.received).containsExactly("init");
        assertThat(other.received).containsExactly("init", "one", "two");
    }

    @Test
    void news_is_kept_no_longer_than_somebody_lacks_it() {
        agent();
        assertThat(subscribers.isBehind()).isFalse();
        for (int i = 0; subscribers.hasRoom(); i++) {
            news("n" + i);
        }
        assertThat(subscribers.isBehind()).isTrue();
        tellEverybody();
        assertThat(subscribers.hasRoom()).isTrue();
    }

    private Listener joined() {
        Listener listener = new Listener();
        assertThat(subscribers.join(listener, utf8("init"))).isTrue();
        return listener;
    }

    private Listener agent() {
        Listener agent = joined();
        agent.dashboard = false;
        return agent;
    }

    private void news(String text) {
        subscribers.add(utf8(text), false);
    }

    private void tellEverybody() {
        subscribers.sendToDashboards();
        while (subscribers.isBehind()) {
            subscribers.sendToNextAgents();
        }
    }

    private static ByteBuffer utf8(String text) {
        return UTF_8.encode(text);
    }
}
