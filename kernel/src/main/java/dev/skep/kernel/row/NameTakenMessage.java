package dev.skep.kernel.row;

/** The message about a name that another row of the org had first, the same everywhere. */
public final class NameTakenMessage {
    private static final String USERNAME = "Username";

    private NameTakenMessage() {}

    /** For an agent's name. */
    public static String username(String name) {
        return words(USERNAME, name);
    }

    /**
     * For any name.
     *
     * @param label what people call the name
     */
    public static String words(String label, String name) {
        return "%s '%s' already exists. Please rename.".formatted(label, name);
    }
}
