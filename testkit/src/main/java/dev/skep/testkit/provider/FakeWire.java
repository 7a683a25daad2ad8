package dev.skep.testkit.provider;

import org.jspecify.annotations.Nullable;

/** The wire formats of providers. */
public enum FakeWire {
    ANTHROPIC,
    CHAT,
    RESPONSES,
    GOOGLE;

    /** Of a path below the address; null for one that asks for no answer of a model. */
    static @Nullable FakeWire of(String path) {
        if (path.endsWith("/messages")) {
            return ANTHROPIC;
        }
        if (path.endsWith("/chat/completions")) {
            return CHAT;
        }
        if (path.endsWith("/responses")) {
            return RESPONSES;
        }
        return path.endsWith(":generateContent") || path.endsWith(":streamGenerateContent")
                ? GOOGLE
                : null;
    }
}
