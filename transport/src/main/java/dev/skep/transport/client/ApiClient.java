package dev.skep.transport.client;

import dev.skep.transport.route.HttpMethod;
import dev.skep.transport.route.JsonFields;
import java.io.OutputStream;
import java.util.Map;

/**
 * A product's API as a client sees it: a refusal is thrown with the code the other side gave.
 * Thread-safe.
 */
public interface ApiClient extends AutoCloseable {
    /** Sends a JSON object and returns the JSON that came back, an empty object for nothing. */
    Answer call(HttpMethod method, String path, Map<String, ?> body);

    default Answer get(String path) {
        return call(HttpMethod.GET, path, Map.of());
    }

    default Answer post(String path, Map<String, ?> body) {
        return call(HttpMethod.POST, path, body);
    }

    default Answer delete(String path) {
        return call(HttpMethod.DELETE, path, Map.of());
    }

    /** Copies a long answer as it comes. */
    void download(String path, OutputStream out);

    @Override
    void close();

    /** What came back, as text and as fields. */
    @SuppressWarnings("ArrayRecordComponent") // read once, never compared
    record Answer(int status, byte[] json) {
        public Answer {
            json = json.clone();
        }

        public JsonFields fields() {
            return JsonFields.of(json);
        }

        @Override
        public String toString() {
            return "answer " + status;
        }
    }
}
