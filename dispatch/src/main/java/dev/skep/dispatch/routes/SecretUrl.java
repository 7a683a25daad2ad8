package dev.skep.dispatch.routes;

import dev.skep.dispatch.alert.Webhook;
import java.net.URI;
import java.net.URISyntaxException;

/** Addresses that people give for webhooks. */
final class SecretUrl {
    private static final int LONGEST = 2_000;

    private SecretUrl() {}

    /** The address, if messages of that kind can be posted to it. */
    static String checked(Webhook.Kind kind, String field, String text) {
        try {
            URI url = new URI(text);
            boolean web = "https".equals(url.getScheme()) || "http".equals(url.getScheme());
            if (web
                    && url.getHost() != null
                    && url.getUserInfo() == null
                    && text.length() <= LONGEST) {
                return text;
            }
        } catch (URISyntaxException e) {
            // reported below
        }
        throw DispatchResponses.bad(
                "%s must be an http or https address without a user name%s"
                        .formatted(
                                field,
                                kind.hasSecretUrl()
                                        ? ": the one that %s shows for an incoming webhook"
                                                .formatted(kind.label())
                                        : ""));
    }

    /** What of it tells it from others: whoever knew the whole could write there. */
    static String shown(String url) {
        URI uri = URI.create(url);
        return uri.getScheme() + "://" + uri.getAuthority() + "/…";
    }
}
