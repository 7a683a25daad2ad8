package dev.skep.transport.route;

import dev.skep.kernel.error.ErrorCode;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;

/** What a route answers: a status, headers, and a body that is written when it is sent. */
public record Response(int status, String contentType, Map<String, String> headers, Body body) {

    /** Writes itself; may be long, and may flush as it goes. */
    @FunctionalInterface
    public interface Body {
        void writeTo(OutputStream out) throws IOException;

        /** The caller is known to be gone and has not got it. */
        default void undelivered() {}
    }

    private static final Body NOTHING = out -> {};

    public Response {
        headers = Map.copyOf(headers);
    }

    /** A value as JSON. */
    public static Response json(Object value) {
        return json(200, value);
    }

    public static Response json(int status, Object value) {
        byte[] bytes = Json.bytes(value);
        return new Response(status, "application/json", Map.of(), out -> out.write(bytes));
    }

    /**
     * JSON that is written already.
     *
     * @param undelivered runs if it is known not to have arrived
     */
    public static Response written(String json, Runnable undelivered) {
        byte[] bytes = json.getBytes(StandardCharsets.UTF_8);
        return new Response(
                200,
                "application/json",
                Map.of(),
                new Body() {
                    @Override
                    public void writeTo(OutputStream out) throws IOException {
                        out.write(bytes);
                    }

                    @Override
                    public void undelivered() {
                        undelivered.run();
                    }
                });
    }

    public static Response written(String json) {
        return written(json, () -> {});
    }

    public static Response created(Object value) {
        return json(201, value);
    }

    /** Success without content. */
    public static Response done() {
        return new Response(204, "", Map.of(), NOTHING);
    }

    public static Response text(int status, String contentType, String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        return new Response(status, contentType, Map.of(), out -> out.write(bytes));
    }

    /** A refusal as problem details, with members that say more than its words. */
    public static Response refused(ErrorCode code, String detail, Map<String, ?> more) {
        Map<String, Object> problem = new LinkedHashMap<>();
        problem.put("type", "about:blank");
        problem.put("title", code.code().replace('_', ' '));
        problem.put("status", code.httpStatus());
        problem.put("detail", detail);
        problem.put("code", code.code());
        problem.putAll(more);
        return text(code.httpStatus(), "application/problem+json", Json.text(problem));
    }

    /** A body made while it is sent, for what does not fit into memory. */
    public static Response streamed(String contentType, Body body) {
        return new Response(200, contentType, Map.of(), body);
    }

    public Response with(String header, String value) {
        Map<String, String> more = new LinkedHashMap<>(headers);
        more.put(header, value);
        return new Response(status, contentType, more, body);
    }
}
