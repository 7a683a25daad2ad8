package dev.skep.registry;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** What a proxy to a node does, whichever way it takes: in one place, with new nodes each time. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class ProxyRules implements ProxiedMessageRules, ProxyLimitRules, UnreachableNodeRules {
    private Place place;
    private ProxiedNode node;

    /** One registry where agents register, and one where dashboards come in; maybe the same. */
    interface Place extends AutoCloseable {
        int agents();

        int dashboards();

        @Override
        void close();
    }

    abstract Place open(Path folder);

    @Override
    public ProxiedNode node() {
        return node;
    }

    @BeforeAll
    void build(@TempDir Path folder) {
        place = open(folder);
    }

    @AfterAll
    void tearDown() {
        place.close();
    }

    @BeforeEach
    void arrive() throws IOException, InterruptedException {
        node = new ProxiedNode(place);
    }

    @AfterEach
    void leave() throws IOException {
        node.close();
    }
}
