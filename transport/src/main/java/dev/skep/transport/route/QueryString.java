package dev.skep.transport.route;

import java.util.HashMap;
import java.util.Map;

/** The query of a URL. Of a name that stands twice, the first value counts. */
public final class QueryString {
    private QueryString() {}

    /** As a form has it: a plus is a space. */
    public static Map<String, String> ofForm(String query) {
        return parse(query.replace('+', ' '));
    }

    /** Names and values, percent-decoded; a name without a value is none. */
    public static Map<String, String> parse(String query) {
        Map<String, String> parameters = new HashMap<>();
        for (String pair : query.split("&", -1)) {
            int equals = pair.indexOf('=');
            if (equals > 0) {
                parameters.putIfAbsent(
                        PercentEncoding.decode(pair.substring(0, equals)),
                        PercentEncoding.decode(pair.substring(equals + 1)));
            }
        }
        return parameters;
    }
}
