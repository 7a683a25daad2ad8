package dev.skep.app.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.skep.app.assembly.Assembly;
import dev.skep.app.assembly.Composition;
import dev.skep.cli.command.SettingFlags;
import dev.skep.cli.config.Configuration;
import dev.skep.kernel.lifecycle.Lifecycle;
import dev.skep.runner.terminal.Terminal;
import java.io.IOException;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Who gets through to the registry of a hub, by what web page and by what name. */
@Timeout(60)
class RegistryInsideAServiceTest {
    @TempDir Path home;
    private final Map<String, String> environment =
            new HashMap<>(Map.of("SKEP_LISTEN", "127.0.0.1:0", "SKEP_REGISTRY_PORT", "0"));
    private final Lifecycle lifecycle = new Lifecycle();
    private int nodes;
    private int people;

    @AfterEach
    void close() {
        lifecycle.close();
    }

    @Test
    void the_older_dashboard_on_this_machine_connects_and_a_strange_page_is_told_the_flag()
            throws Exception {
        open();

        assertThat(upgrade(nodes, "localhost", "http://localhost:5180")).contains(" 101 ");
        assertThat(upgrade(nodes, "localhost", "http://127.0.0.1:5173")).contains(" 101 ");
        assertThat(upgrade(nodes, "localhost", "http://evil.example"))
                .contains(" 403 ")
                .endsWith(
                        "web pages of http://evil.example may not ask this; allow them with --allow-origin");
        assertThat(upgrade(nodes, "registry.example", ""))
                .contains(" 421 ")
                .endsWith("this is not reached by registry.example; add it with --names");
    }

    @Test
    void it_takes_the_origins_and_names_it_is_told() throws Exception {
        environment.put("SKEP_ALLOW_ORIGIN", "https://de.example");
        environment.put("SKEP_NAMES", "registry.example");
        open();

        assertThat(upgrade(nodes, "registry.example", "https://de.example")).contains(" 101 ");
        assertThat(upgrade(nodes, "registry.example", "http://localhost:5180")).contains(" 403 ");
        // The listener for people lets the page in too, and asks it who it is.
        assertThat(upgrade(people, "registry.example", "https://de.example")).contains(" 401 ");
    }

    @Test
    void the_older_dashboard_gets_no_further_than_the_registry() throws Exception {
        open();

        assertThat(upgrade(people, "localhost", "http://localhost:5180"))
                .contains(" 403 ")
                .endsWith("allow them with --origins");
    }

    private void open() {
        Configuration configuration =
                TestContext.of(environment, home, new StringWriter(), new StringWriter())
                        .configuration(new SettingFlags());
        Assembly.Opened opened =
                new Assembly(configuration, lifecycle, home, "test")
                        .open(Composition.hubOnly(false), Terminal.none());
        people = port(opened, "listening on ");
        nodes = port(opened, "nodes register at ");
    }

    private static int port(Assembly.Opened opened, String words) {
        return opened.lines().stream()
                .filter(line -> line.startsWith(words))
                .map(line -> line.replaceFirst(".*:([0-9]+).*", "$1"))
                .map(Integer::valueOf)
                .findFirst()
                .orElseThrow();
    }

    /** The answer to a request for a socket, the status line first. */
    private static String upgrade(int port, String host, String origin) throws IOException {
        try (var socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            String page = origin.isEmpty() ? "" : "Origin: " + origin + "\r\n";
            String request =
                    "GET /ws HTTP/1.1\r\nHost: %s:%d\r\n%sUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
                            .formatted(host, port, page);
            socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
            socket.shutdownOutput();
            byte[] answer = socket.getInputStream().readAllBytes();
            return new String(answer, StandardCharsets.UTF_8).strip();
        }
    }
}
