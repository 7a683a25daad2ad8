package dev.skep.directory.routes;

/**
 * The URL of a one-use link. The secret is in the fragment, which browsers do not send, so it is in
 * no request line and in no log; the page posts it to {@code /api/session/link}.
 */
public final class SignInLink {
    private SignInLink() {}

    public static String path(String secret) {
        return "/sign-in#" + secret;
    }
}
