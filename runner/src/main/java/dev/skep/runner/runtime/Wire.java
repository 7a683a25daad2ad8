package dev.skep.runner.runtime;

import java.util.Locale;

/** The format in which a runtime asks its model, and so the path of the gateway that it uses. */
public enum Wire {
    ANTHROPIC,
    OPENAI,
    GOOGLE,
    /** It cannot be pointed at the gateway. */
    NONE;

    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
