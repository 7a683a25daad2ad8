package dev.skep.kernel.row;

/** What is said about a name that another row of the org had first, the same wherever it is. */
public final class NameTakenMessage {
    private static final String USERNAME = "Username";

    private NameTakenMessage() {}

    /** Of an agent. */
    public static String username(String name) {
        return words(USERNAME, name);
    }

    /**
     * Of anything with a name.
     *
     * @param label what people call the name
     */
    public static String words(String label, String name) {
        return "%s '%s' already exists. Please rename.".formatted(label, name);
    }
}
