package dev.skep.runner.acp;

import dev.skep.runner.acp.AcpException.Failure;
import java.io.InputStream;
import java.io.OutputStream;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * A conversation with an agent over its input and output. Calls wait for the agent's answer, can be
 * interrupted, and fail when the connection ends; when one returns, the updates that came before
 * the answer have been delivered. Thread-safe.
 */
public final class AcpConnection implements AutoCloseable {
    public static final int VERSION = 1;

    private static final int LONGEST_REASON = 1_000;
    private static final long SIGN_IN_FIRST = -32_000;

    private final JsonMapper mapper;
    private final AcpLimits limits;
    private final RequestWriter requests;
    private final AnswerReader answers;
    private final AcpPeer peer;

    private AcpConnection(
            InputStream fromAgent, OutputStream toAgent, AcpHandler handler, AcpLimits limits) {
        this.mapper = AcpJson.mapper(limits.lineBytes());
        this.limits = limits;
        this.requests = new RequestWriter(mapper);
        this.answers = new AnswerReader(mapper);
        this.peer = new AcpPeer(fromAgent, toAgent, handler, limits, mapper);
    }

    /** Begins to read; nothing is asked yet. */
    public static AcpConnection over(
            InputStream fromAgent, OutputStream toAgent, AcpHandler handler) {
        return over(fromAgent, toAgent, handler, AcpLimits.DEFAULTS);
    }

    /** The same with other limits. */
    public static AcpConnection over(
            InputStream fromAgent, OutputStream toAgent, AcpHandler handler, AcpLimits limits) {
        var connection = new AcpConnection(fromAgent, toAgent, handler, limits);
        connection.peer.start();
        return connection;
    }

    /** Asked first; an agent of another version of the protocol loses the connection. */
    public AgentDescription initialize(String clientName, String clientVersion)
            throws AcpException, InterruptedException {
        ObjectNode params = requests.initialize(VERSION, clientName, clientVersion);
        AgentDescription agent =
                answers.description(call("initialize", params, limits.initialize()));
        if (agent.protocolVersion() != VERSION) {
            String why =
                    "the agent speaks version %d of the Agent Client Protocol, and Skep version %d"
                            .formatted(agent.protocolVersion(), VERSION);
            peer.end(why);
            throw new AcpException(Failure.VERSION, why);
        }
        return agent;
    }

    /**
     * Opens a session.
     *
     * @param folder an absolute path
     */
    public OpenedSession newSession(String folder, List<McpServerAddress> servers)
            throws AcpException, InterruptedException {
        JsonNode answer = call("session/new", requests.place(folder, servers), limits.newSession());
        return answers.session(answer, required(answer, "session/new", "sessionId"));
    }

    /** Continues a session; the agent replays it as updates, cut in its own way. */
    public OpenedSession loadSession(
            String sessionId, String folder, List<McpServerAddress> servers)
            throws AcpException, InterruptedException {
        return continued("session/load", sessionId, folder, servers);
    }

    /** Continues a session without a replay. */
    public OpenedSession resumeSession(
            String sessionId, String folder, List<McpServerAddress> servers)
            throws AcpException, InterruptedException {
        return continued("session/resume", sessionId, folder, servers);
    }

    private OpenedSession continued(
            String method, String sessionId, String folder, List<McpServerAddress> servers)
            throws AcpException, InterruptedException {
        ObjectNode params = requests.place(folder, servers).put("sessionId", sessionId);
        return answers.session(call(method, params, limits.load()), sessionId);
    }

    /** One turn, without a limit in time. */
    public PromptResult prompt(String sessionId, String text)
            throws AcpException, InterruptedException {
        return prompt(sessionId, List.of(new PromptBlock.Text(text)));
    }

    /**
     * The same with pictures. A thread that is interrupted here leaves the turn running: {@link
     * #cancel} ends it.
     */
    public PromptResult prompt(String sessionId, List<PromptBlock> prompt)
            throws AcpException, InterruptedException {
        JsonNode answer = call("session/prompt", requests.prompt(sessionId, prompt), null);
        return answers.result(answer, required(answer, "session/prompt", "stopReason"));
    }

    /**
     * Asks the agent to end the turn, whose prompt then returns; permissions that wait are answered
     * with cancelled.
     */
    public void cancel(String sessionId) {
        peer.tell("session/cancel", requests.session(sessionId));
        peer.withdrawPermissions(sessionId);
    }

    /** Chooses one of {@link OpenedSession#modes}. */
    public void setMode(String sessionId, String modeId) throws AcpException, InterruptedException {
        ObjectNode params = requests.session(sessionId).put("modeId", modeId);
        call("session/set_mode", params, limits.other());
    }

    /** Chooses one of {@link OpenedSession#models}. */
    public void setModel(String sessionId, String modelId)
            throws AcpException, InterruptedException {
        ObjectNode params = requests.session(sessionId).put("modelId", modelId);
        call("session/set_model", params, limits.other());
    }

    /** Chooses a value of one of {@link OpenedSession#options}. */
    public void setOption(String sessionId, OpenedSession.ConfigOption option, String value)
            throws AcpException, InterruptedException {
        ObjectNode params = requests.session(sessionId).put("configId", option.id());
        if (option.choices().isEmpty()) {
            params.put("type", "boolean").put("value", Boolean.parseBoolean(value));
        } else {
            params.put("value", value);
        }
        call("session/set_config_option", params, limits.other());
    }

    /** For agents that can. */
    public void closeSession(String sessionId) throws AcpException, InterruptedException {
        call("session/close", requests.session(sessionId), limits.other());
    }

    /** Asks what this class has no method for; params and answer are JSON. */
    public String ask(String method, String params, Duration limit)
            throws AcpException, InterruptedException {
        return call(method, mapper.readTree(params), limit).toString();
    }

    /** Updates, notifications, requests and answers that meant nothing here. */
    public long ignored() {
        return peer.ignored();
    }

    /** Lines that were no messages. */
    public long garbage() {
        return peer.garbage();
    }

    /** The first of them, shortened. */
    public List<String> garbageSample() {
        return peer.garbageSample();
    }

    /** Ends the connection, not the agent; waits for nothing. */
    @Override
    public void close() {
        peer.end("the connection was closed");
    }

    private JsonNode call(String method, JsonNode params, @Nullable Duration limit)
            throws AcpException, InterruptedException {
        JsonNode message = peer.call(method, params, limit);
        JsonNode error = message.get("error");
        if (error != null && !error.isNull()) {
            throw refused(method, error);
        }
        JsonNode result = message.get("result");
        return result == null || !result.isObject() ? mapper.createObjectNode() : result;
    }

    private static AcpException refused(String method, JsonNode error) {
        long code = AcpJson.number(error, "code");
        @Nullable String data = AcpJson.json(error, "data");
        String why =
                "%s: %s%s (%d)"
                        .formatted(
                                method,
                                AcpJson.text(error, "message", "refused"),
                                data == null ? "" : " " + data,
                                code);
        return new AcpException(
                code == SIGN_IN_FIRST ? Failure.SIGN_IN : Failure.REFUSED,
                why.length() > LONGEST_REASON ? why.substring(0, LONGEST_REASON) + "…" : why);
    }

    private static String required(JsonNode answer, String method, String field)
            throws AcpException {
        @Nullable String value = AcpJson.textOrNull(answer, field);
        if (value == null || value.isEmpty()) {
            throw new AcpException(Failure.MALFORMED, "%s: no %s".formatted(method, field));
        }
        return value;
    }
}
