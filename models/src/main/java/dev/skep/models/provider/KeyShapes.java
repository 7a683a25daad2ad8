package dev.skep.models.provider;

import java.util.regex.Pattern;

/**
 * Hides what looks like a key in a provider's words; they repeat the one they refuse, in part or
 * whole.
 */
public final class KeyShapes {
    private static final Pattern KEY_SHAPED =
            Pattern.compile(
                    "\\b(?:sk|pk|rk|gsk|xai)[-_][A-Za-z0-9*_-]{6,}|\\bAIza[A-Za-z0-9*_-]{6,}");

    private KeyShapes() {}

    public static String hidden(String words) {
        return KEY_SHAPED.matcher(words).replaceAll("***");
    }
}
