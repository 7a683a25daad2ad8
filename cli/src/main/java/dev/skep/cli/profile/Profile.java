package dev.skep.cli.profile;

import dev.skep.transport.route.Json;
import dev.skep.transport.route.JsonFields;
import java.util.Map;

/**
 * A hub and how this person signs in there; printing it shows no secret.
 *
 * @param org the org that commands are about unless they name another
 * @param username who signed in, as the hub calls them
 * @param way {@link #SESSION} or {@link #KEY}
 */
public record Profile(
        String name, String url, String org, String username, String way, String secret) {
    public static final String SESSION = "session";
    public static final String KEY = "key";

    public boolean isSession() {
        return way.equals(SESSION);
    }

    public Profile inOrg(String another) {
        return another.isEmpty() ? this : new Profile(name, url, another, username, way, secret);
    }

    String text() {
        return Json.text(
                Map.of("url", url, "org", org, "username", username, "way", way, "secret", secret));
    }

    static Profile read(String name, String text) {
        JsonFields fields = Json.fields(text);
        return new Profile(
                name,
                fields.text("url"),
                fields.text("org"),
                fields.text("username"),
                fields.text("way"),
                fields.text("secret"));
    }

    @Override
    public String toString() {
        return name + " at " + url;
    }
}
