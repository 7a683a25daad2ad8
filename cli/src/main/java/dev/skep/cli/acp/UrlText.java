package dev.skep.cli.acp;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;

/** Text as part of an address. */
final class UrlText {
    private UrlText() {}

    static String of(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }
}
