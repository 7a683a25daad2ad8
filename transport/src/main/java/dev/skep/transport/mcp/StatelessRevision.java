package dev.skep.transport.mcp;

import dev.skep.kernel.error.SkepException;
import dev.skep.transport.route.JsonFields;
import dev.skep.transport.route.Request;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The revision 2026-07-28: no handshake and no session. Each request says in {@code _meta} which
 * revision it speaks and what its client can do; headers repeat its method and the tool's name for
 * those who do not read bodies, and must agree. Thread-safe.
 */
final class StatelessRevision {
    static final String REVISION = "2026-07-28";

    private static final String PREFIX = "io.modelcontextprotocol/";
    private static final String VERSION = PREFIX + "protocolVersion";
    private static final String CAPABILITIES = PREFIX + "clientCapabilities";
    private static final String CLIENT = PREFIX + "clientInfo";
    private static final String VERSION_HEADER = "MCP-Protocol-Version";
    private static final String METHOD_HEADER = "Mcp-Method";
    private static final String NAME_HEADER = "Mcp-Name";
    private static final String ENCODED = "=?base64?";
    private static final String ENCODED_END = "?=";
    private static final String DISCOVER = "server/discover";
    private static final String CALL = "tools/call";

    /** The name of the only question that a call can have. */
    private static final String YES = "yes";

    /** Tools change when the process does, so nobody needs to ask again at once. */
    private static final long FRESH_MILLIS = 300_000;

    private final Map<String, Object> self;
    private final String instructions;
    private final List<String> others;

    /**
     * Answers nothing yet.
     *
     * @param self name and version of this server
     * @param others the revisions with a handshake, which are spoken at the same address
     */
    StatelessRevision(Map<String, Object> self, String instructions, List<String> others) {
        this.self = self;
        this.instructions = instructions;
        this.others = List.copyOf(others);
    }

    /** Whether a request is none of the revisions with a handshake. */
    boolean isMeant(McpMessage.Request request, Request.Headers headers) {
        String said = meta(request).map(meta -> meta.shown(VERSION)).orElse("");
        if (!said.isEmpty()) {
            return !others.contains(said);
        }
        return headers.header(VERSION_HEADER)
                .map(revision -> !others.contains(revision))
                .orElse(request.method().equals(DISCOVER));
    }

    private static Optional<JsonFields> meta(McpMessage.Request request) {
        try {
            return request.parameters().object("_meta");
        } catch (SkepException notAnObject) {
            return Optional.empty();
        }
    }

    McpAnswer answer(McpMessage.Request request, Request.Headers headers, McpServer.Tools tools) {
        try {
            JsonFields meta = checked(request, headers);
            return switch (request.method()) {
                case DISCOVER -> done(request, cacheable(about()));
                case "tools/list" -> done(request, cacheable(list(request, tools)));
                case CALL -> called(request, tools, canAsk(meta));
                default ->
                        throw new Refusal(
                                404,
                                McpMessage.NO_METHOD,
                                "there is no method %s; there are %s, tools/list and %s"
                                        .formatted(request.method(), DISCOVER, CALL));
            };
        } catch (Refusal refusal) {
            return new McpAnswer(refusal.status, refusal.answer(request.id()));
        }
    }

    /** The {@code _meta} of a request that is as this revision has it. */
    private JsonFields checked(McpMessage.Request request, Request.Headers headers) {
        if (request.id().matches(".*[.eE].*") && !request.id().startsWith("\"")) {
            throw bad(McpMessage.NO_REQUEST, "id must be a text or a whole number");
        }
        Optional<JsonFields> meta = meta(request);
        Optional<String> said =
                meta.map(fields -> fields.shown(VERSION)).filter(text -> !text.isEmpty());
        Optional<String> header = headers.header(VERSION_HEADER);
        if (said.isPresent() && header.isPresent() && !header.equals(said)) {
            throw mismatch(VERSION_HEADER, header, said.get());
        }
        String revision = said.or(() -> header).orElse(REVISION);
        if (!revision.equals(REVISION)) {
            throw unsupported(revision);
        }
        if (meta.isEmpty() || said.isEmpty()) {
            throw bad(
                    McpMessage.BAD_PARAMETERS,
                    "params._meta must have %s and %s".formatted(VERSION, CAPABILITIES));
        }
        checkClient(meta.get());
        checkHeaders(request, headers, revision);
        return meta.get();
    }

    private static void checkClient(JsonFields meta) {
        try {
            if (meta.object(CAPABILITIES).isEmpty()) {
                throw bad(
                        McpMessage.BAD_PARAMETERS,
                        "params._meta must have %s, an object; {} if there are none"
                                .formatted(CAPABILITIES));
            }
            for (JsonFields client : meta.object(CLIENT).stream().toList()) {
                client.text("name");
                client.text("version");
            }
        } catch (SkepException malformed) {
            throw bad(McpMessage.BAD_PARAMETERS, "params._meta: " + malformed.getMessage());
        }
    }

    private static void checkHeaders(
            McpMessage.Request request, Request.Headers headers, String revision) {
        Optional<String> version = headers.header(VERSION_HEADER);
        if (version.isEmpty()) {
            throw mismatch(VERSION_HEADER, version, revision);
        }
        Optional<String> method = headers.header(METHOD_HEADER);
        if (!method.equals(Optional.of(request.method()))) {
            throw mismatch(METHOD_HEADER, method, request.method());
        }
        if (request.method().equals(CALL)) {
            String name = request.parameters().shown("name");
            Optional<String> named = headers.header(NAME_HEADER);
            if (!named.flatMap(StatelessRevision::decoded).equals(Optional.of(name))) {
                throw mismatch(NAME_HEADER, named, name);
            }
        }
    }

    /** A header's value as it was before it was made fit for a header; empty if it is malformed. */
    private static Optional<String> decoded(String value) {
        boolean isEncoded =
                value.length() >= ENCODED.length() + ENCODED_END.length()
                        && value.startsWith(ENCODED)
                        && value.endsWith(ENCODED_END);
        if (!isEncoded) {
            return Optional.of(value);
        }
        try {
            byte[] bytes =
                    Base64.getDecoder()
                            .decode(
                                    value.substring(
                                            ENCODED.length(),
                                            value.length() - ENCODED_END.length()));
            return Optional.of(new String(bytes, StandardCharsets.UTF_8));
        } catch (IllegalArgumentException notBase64) {
            return Optional.empty();
        }
    }

    private Map<String, Object> about() {
        return Map.of(
                "supportedVersions",
                List.of(REVISION),
                "capabilities",
                Map.of("tools", Map.of()),
                "instructions",
                instructions);
    }

    private static Map<String, Object> list(McpMessage.Request request, McpServer.Tools tools) {
        if (request.parameters().has("cursor")) {
            throw new Refusal(
                    200, McpMessage.BAD_PARAMETERS, "all tools are on one page; send no cursor");
        }
        return Map.of("tools", tools.offered().stream().map(ToolDescription::described).toList());
    }

    private static Map<String, Object> cacheable(Map<String, Object> result) {
        Map<String, Object> cacheable = new LinkedHashMap<>(result);
        cacheable.put("ttlMs", FRESH_MILLIS);
        // What is offered belongs to a key, even where all keys get the same.
        cacheable.put("cacheScope", "private");
        return cacheable;
    }

    private McpAnswer called(McpMessage.Request request, McpServer.Tools tools, boolean canAsk) {
        return McpAnswer.ok(
                McpServer.called(
                        request,
                        tools,
                        input(request.parameters()),
                        outcome ->
                                switch (outcome) {
                                    case ToolOutcome.Complete(var result) -> complete(result);
                                    case ToolOutcome.Question question -> asking(question, canAsk);
                                }));
    }

    private static CallInput input(JsonFields parameters) {
        try {
            Optional<JsonFields> answer =
                    parameters.object("inputResponses").flatMap(all -> all.object(YES));
            return new CallInput(
                    parameters.optionalText("requestState"),
                    answer.map(given -> word(given.text("action")))
                            .orElse(CallInput.Answer.MISSING));
        } catch (SkepException malformed) {
            throw new Refusal(
                    200,
                    McpMessage.BAD_PARAMETERS,
                    "inputResponses or requestState: " + malformed.getMessage());
        }
    }

    /** A dialog that was closed is no yes, and nobody is asked twice. */
    private static CallInput.Answer word(String action) {
        return switch (action) {
            case "accept" -> CallInput.Answer.YES;
            case "decline", "cancel" -> CallInput.Answer.NO;
            default ->
                    throw new Refusal(
                            200,
                            McpMessage.BAD_PARAMETERS,
                            "inputResponses.%s.action must be accept, decline or cancel"
                                    .formatted(YES));
        };
    }

    private Map<String, Object> asking(ToolOutcome.Question question, boolean canAsk) {
        if (!canAsk) {
            throw new Refusal(
                    400,
                    McpMessage.MISSING_CAPABILITY,
                    "this needs a person's yes, so the client must be able to ask for one: it needs the capability elicitation; or do it on the pages or with the skep command",
                    Map.of(
                            "requiredCapabilities",
                            Map.of("elicitation", Map.of("form", Map.of()))));
        }
        Map<String, Object> form =
                Map.of(
                        "mode",
                        "form",
                        "message",
                        question.question(),
                        "requestedSchema",
                        Map.of("type", "object", "properties", Map.of()));
        Map<String, Object> result = new LinkedHashMap<>();
        result.put("resultType", "input_required");
        result.put(
                "inputRequests",
                Map.of(YES, Map.of("method", "elicitation/create", "params", form)));
        result.put("requestState", question.state());
        return signed(result);
    }

    /** An empty capability means forms, as it did when there was nothing else. */
    private static boolean canAsk(JsonFields meta) {
        try {
            return meta.object(CAPABILITIES)
                    .flatMap(capabilities -> capabilities.object("elicitation"))
                    .filter(how -> how.has("form") || !how.has("url"))
                    .isPresent();
        } catch (SkepException malformed) {
            return false;
        }
    }

    private McpAnswer done(McpMessage.Request request, Map<String, Object> result) {
        return McpAnswer.ok(McpMessage.result(request.id(), complete(result)));
    }

    private Map<String, Object> complete(Map<String, Object> result) {
        Map<String, Object> complete = new LinkedHashMap<>();
        complete.put("resultType", "complete");
        complete.putAll(result);
        return signed(complete);
    }

    private Map<String, Object> signed(Map<String, Object> result) {
        result.put("_meta", Map.of(PREFIX + "serverInfo", self));
        return result;
    }

    private static Refusal bad(int code, String why) {
        return new Refusal(400, code, why);
    }

    private static Refusal mismatch(String header, Optional<String> value, String body) {
        return bad(
                McpMessage.HEADER_MISMATCH,
                value.map(
                                is ->
                                        "the header %s is '%s', but the body has '%s'; send the same"
                                                .formatted(header, is, body))
                        .orElseGet(
                                () ->
                                        "the header %s is missing; the body has '%s'"
                                                .formatted(header, body)));
    }

    private Refusal unsupported(String revision) {
        List<String> supported = new ArrayList<>(List.of(REVISION));
        supported.addAll(others);
        return new Refusal(
                400,
                McpMessage.UNSUPPORTED_REVISION,
                "the revision '%s' is not spoken here; %s is, and after initialize also %s"
                        .formatted(revision, REVISION, String.join(", ", others)),
                Map.of("supported", supported, "requested", revision));
    }

    /** An error that this revision prescribes, with its status of HTTP. */
    private static final class Refusal extends RuntimeException {
        private static final long serialVersionUID = 1L;

        private final int status;
        private final int code;
        private final transient Optional<Object> data;

        Refusal(int status, int code, String message) {
            this(status, code, message, Optional.empty());
        }

        Refusal(int status, int code, String message, Map<String, Object> data) {
            this(status, code, message, Optional.of(data));
        }

        private Refusal(int status, int code, String message, Optional<Object> data) {
            super(message, null, false, false);
            this.status = status;
            this.code = code;
            this.data = data;
        }

        Map<String, Object> answer(String id) {
            String message = String.valueOf(getMessage());
            return data.map(more -> McpMessage.error(id, code, message, more))
                    .orElseGet(() -> McpMessage.error(id, code, message));
        }
    }
}
