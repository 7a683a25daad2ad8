package dev.skep.fleet.agent;

import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/** A runtime that the walk knows: its commands, and the model it is told to use. */
public enum WalkedRuntime {
    OPENCODE("coder", "opencode"),
    PI("coder", "pi-acp", "pi"),
    CLAUDE("claude-of-the-fake", "claude-agent-acp"),
    CODEX("gpt-of-the-fake", "codex-acp"),
    GEMINI("gemini-of-the-fake", "gemini");

    final String model;
    private final String commands;

    WalkedRuntime(String model, String... commands) {
        this.model = model;
        this.commands = String.join(" ", commands);
    }

    /** As agents' files name it. */
    public String runtime() {
        return name().toLowerCase(Locale.ROOT);
    }

    public boolean isInstalled(AgentPackages packages) {
        return packages.have(commands.split(" "));
    }

    /** One of these, by the name that agents' files give it. */
    public static Optional<WalkedRuntime> named(String name) {
        return Stream.of(values()).filter(each -> each.runtime().equals(name)).findFirst();
    }

    /**
     * The models of a fake provider, with prices that a cent shows.
     *
     * @param address of the provider
     */
    static String models(String address) {
        StringBuilder models = new StringBuilder("models:\n");
        for (String[] each :
                new String[][] {
                    {"coder", "openai_compatible", "/v1"},
                    {"claude-of-the-fake", "anthropic", "/v1"},
                    {"gpt-of-the-fake", "openai", "/v1"},
                    {"gemini-of-the-fake", "google", "/v1beta"}
                }) {
            models.append(
                    """
                      - name: %s
                        provider: %s
                        url: %s%s
                        key: KEY_OF_THE_FAKE
                        context_tokens: 200_000
                        max_output_tokens: 8_192
                        prices: { input: 10, output: 100 }
                    """
                            .formatted(each[0], each[1], address, each[2]));
        }
        return models.toString();
    }
}
