package dev.skep.models.provider;

import java.util.Locale;

/** The wire formats spoken. */
public enum ProviderProtocol {
    ANTHROPIC("https://api.anthropic.com/v1"),
    OPENAI("https://api.openai.com/v1"),
    /** OpenAI's newer API, which some of its models want; an entry asks for it with {@code api}. */
    OPENAI_RESPONSES("https://api.openai.com/v1"),
    /** What Ollama, vLLM, OpenRouter and many others speak; has no address of its own. */
    OPENAI_COMPATIBLE(""),
    GOOGLE("https://generativelanguage.googleapis.com/v1beta");

    private final String address;

    ProviderProtocol(String address) {
        this.address = address;
    }

    /** The provider's own address, or empty. */
    public String address() {
        return address;
    }

    /** As costs and messages name it. */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
