package dev.skep.testkit.acp;

import java.io.BufferedOutputStream;
import java.io.BufferedReader;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * An agent of the Agent Client Protocol that does what it is told. It needs nothing but a JDK and
 * its own classes: {@link #command} is how it is started.
 *
 * <h2>What a prompt can say</h2>
 *
 * Lines that begin with an exclamation mark are steps, done in order; all other lines are passed
 * over, so steps may stand in a longer prompt; the words with which an agent is told what a person
 * says may stand before one. A prompt without steps is answered with {@code heard: } and its last
 * line.
 *
 * <pre>
 * !say TEXT                    one piece of the answer; \n is a line's end
 * !pieces N MS TEXT            TEXT in N pieces with MS milliseconds between them
 * !message ID TEXT             a piece with a message id
 * !think TEXT                  a thought
 * !burst N                     N numbered pieces as fast as they go
 * !tool KIND TITLE             a tool call that completes at once
 * !write PATH TEXT             a tool call that writes a file in its folder, with a diff
 * !run COMMAND                 a tool call that runs a command; output in _meta.terminal_output_delta
 * !ask write|run …             the same, after a permission: allow_always is listed first, ids are odd
 * !ask-bare write|run …        the same, but nothing tells of the tool call before the permission
 * !plan A | B | C              a plan: A done, B under way, the others to do
 * !diff PATH OLD => NEW        a tool call with a diff; touches no file
 * !mode ID                     tells that it is in another mode
 * !usage IN OUT [CACHED]       what the answer to this prompt reports
 * !cost USED SIZE DOLLARS      an update about usage and cost
 * !late MS TEXT                a piece of text MS milliseconds after the answer to the prompt
 * !sleep MS                    ends early when cancelled
 * !wait                        until cancelled
 * !stop REASON                 ends the turn with this reason
 * !error CODE TEXT             answers the prompt with an error
 * !crash [CODE]                ends the process at once, status CODE (3)
 * !crash-in-tool               … after it told that a tool call is under way
 * !crash-in-permission         … after it asked for a permission, before the answer
 * !stderr TEXT                 a line on stderr
 * !garbage N                   N lines that are no messages
 * !long BYTES                  one message of about that size
 * !flood                       pieces of a kilobyte without end
 * !silent                      never answers this prompt, not even when cancelled
 * !deaf                        reads one more line, does nothing about it, and never reads again
 * !request METHOD              asks the client METHOD and says what was answered
 * !notify METHOD               a notification
 * !mcp TOOL {JSON}             calls a tool of the first http MCP server it was given; says the result
 * !mcp-list                    says the names of that server's tools
 * !model WIRE MODEL TOKENS TEXT  one call of a model at the address and with the token of the
 *                              environment; says the status and the words. WIRE: anthropic, openai,
 *                              responses, google; variables as the real agents have them
 * !env NAME                    says the value of a variable
 * !cwd                         says its folder
 * !history                     says how many lines its session has, and the last
 * </pre>
 *
 * After a turn is cancelled no further step is done; the answer is {@code cancelled}.
 *
 * <h2>How it can be at fault from the start</h2>
 *
 * Words as arguments, or in the variable FIXTURE_AGENT separated by spaces:
 *
 * <pre>
 * version=N                    says it speaks version N
 * no-load no-resume no-close no-http no-image   says that it cannot
 * silent=METHOD                never answers METHOD
 * slow=METHOD:MS               answers METHOD after MS milliseconds
 * refuse=METHOD                answers METHOD with an error
 * sign-in                      answers session/new with: sign in first (-32000)
 * crash=start|METHOD           ends with status 3 and a line on stderr
 * garbage=N                    N lines that are no messages before anything else
 * flood=start                  endless output before anything else
 * modes=A,B  models=A,B        offers these; the first is the current one
 * </pre>
 *
 * Sessions are kept in {@code $HOME/.fixture-agent}; session/load replays them in pieces of 7.
 */
public final class FixtureAgent {
    private final FixturePeer peer;
    private final FixtureFaults faults;
    private final Map<String, FixtureSession> sessions =
            Collections.synchronizedMap(new HashMap<>());
    private volatile boolean deaf;

    private FixtureAgent(FixturePeer peer, FixtureFaults faults) {
        this.peer = peer;
        this.faults = faults;
    }

    /** The command line that starts it on this machine, small and fast. */
    public static List<String> command(String... faults) {
        Path classes =
                Path.of(
                        FixtureAgent.class
                                .getProtectionDomain()
                                .getCodeSource()
                                .getLocation()
                                .getPath());
        List<String> words = new ArrayList<>();
        words.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        words.addAll(
                List.of(
                        "-Xmx32m",
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1",
                        "-Xshare:auto",
                        "-XX:-UsePerfData"));
        words.addAll(List.of("-cp", classes.toString(), FixtureAgent.class.getName()));
        words.addAll(List.of(faults));
        return List.copyOf(words);
    }

    public static void main(String[] args) throws IOException {
        // A POST is never repeated behind the test's back.
        System.setProperty("sun.net.http.retryPost", "false");
        FixtureFaults faults = FixtureFaults.of(args, System.getenv("FIXTURE_AGENT"));
        FixturePeer peer =
                new FixturePeer(
                        new BufferedOutputStream(new FileOutputStream(FileDescriptor.out), 8192));
        faults.atStart(peer);
        new FixtureAgent(peer, faults).serve();
    }

    private void serve() throws IOException {
        var in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            while (deaf) {
                FixtureFaults.pause(1_000);
            }
            Map<String, Object> message = FixtureJson.object(FixtureJson.read(line));
            String method = FixtureJson.text(message, "method");
            if (method.isEmpty()) {
                peer.answered(message);
            } else {
                received(method, message);
            }
        }
        System.exit(0);
    }

    private void received(String method, Map<String, Object> message) {
        Object id = message.get("id");
        Object params = message.get("params");
        if (faults.holdsUp(method, id, peer)) {
            return;
        }
        String session = FixtureJson.text(params, "sessionId");
        switch (method) {
            case "initialize" -> peer.result(id, faults.description());
            case "session/new" ->
                    open(id, "fix-" + UUID.randomUUID().toString().substring(0, 8), params);
            case "session/load", "session/resume" -> again(method, id, session, params);
            case "session/prompt" -> prompt(id, session, params);
            case "session/cancel" -> cancel(session);
            case "session/close" -> {
                cancel(session);
                sessions.remove(session);
                peer.result(id, Map.of());
            }
            case "session/set_mode" -> {
                peer.result(id, Map.of());
                String mode = FixtureJson.text(params, "modeId");
                peer.update(
                        session,
                        FixtureJson.of(
                                "sessionUpdate", "current_mode_update", "currentModeId", mode));
            }
            case "session/set_model", "session/set_config_option", "authenticate" ->
                    peer.result(id, Map.of());
            default -> {
                if (id != null) {
                    peer.error(id, -32_601, "Method not found");
                }
            }
        }
    }

    private void open(@Nullable Object id, String session, @Nullable Object params) {
        keep(session, params);
        Map<String, Object> opened = FixtureJson.of("sessionId", session);
        opened.putAll(faults.choices());
        peer.result(id, opened);
    }

    private FixtureSession keep(String session, @Nullable Object params) {
        FixtureSession kept =
                new FixtureSession(
                        session,
                        FixtureJson.text(params, "cwd"),
                        FixtureJson.list(FixtureJson.at(params, "mcpServers")));
        sessions.put(session, kept);
        return kept;
    }

    private void again(
            String method, @Nullable Object id, String session, @Nullable Object params) {
        if (!FixtureSession.exists(session)) {
            peer.error(id, -32_002, "there is no session " + session);
            return;
        }
        FixtureSession kept = keep(session, params);
        if (method.equals("session/load")) {
            kept.replay(peer);
        }
        peer.result(id, faults.choices());
    }

    private void prompt(@Nullable Object id, String name, @Nullable Object params) {
        FixtureSession session = sessions.get(name);
        if (session == null) {
            peer.error(id, -32_002, "there is no session " + name);
            return;
        }
        StringBuilder text = new StringBuilder();
        for (Object block : FixtureJson.list(FixtureJson.at(params, "prompt"))) {
            text.append(FixtureJson.text(block, "text"));
        }
        FixtureTurn turn = new FixtureTurn(peer, session, id, text.toString(), () -> deaf = true);
        session.turn = turn;
        turn.start();
    }

    private void cancel(String name) {
        FixtureSession session = sessions.get(name);
        FixtureTurn turn = session == null ? null : session.turn;
        if (turn != null) {
            turn.cancel();
        }
    }
}
