package dev.skep.directory.key;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** What a key gives access to; the lower-case name is stored and is part of the key's text. */
public enum ApiKeyKind {
    /** Lets a machine enrol as a host of the org. */
    ACCESS_KEY("join"),
    /** Lets a node register with the org's registry. */
    REGISTRY_TOKEN("registry"),
    /** Speaks for one agent. */
    AGENT_KEY("agent"),
    /** Acts for one operator, for programs. */
    API_KEY("api");

    private final String word;

    ApiKeyKind(String word) {
        this.word = word;
    }

    String word() {
        return word;
    }

    public String stored() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** The kind by the word people use for it. */
    public static Optional<ApiKeyKind> named(String word) {
        return Arrays.stream(values()).filter(kind -> kind.word.equals(word)).findFirst();
    }

    boolean isSecretOfThisKind(String secret) {
        return secret.startsWith("skep_" + word + "_");
    }
}
