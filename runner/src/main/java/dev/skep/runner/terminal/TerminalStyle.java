package dev.skep.runner.terminal;

/** Colours, where they are wanted. */
record TerminalStyle(boolean colours) {
    private static final int[] NAMES = {36, 35, 33, 32, 34, 96, 95, 93, 92, 94};

    /** An agent's name in a colour of its own, always the same. */
    String name(String username, int width) {
        String padded = "%-" + width + "s";
        int colour = NAMES[Math.floorMod(username.hashCode(), NAMES.length)];
        return paint(padded.formatted(username), Integer.toString(colour));
    }

    String bold(String text) {
        return paint(text, "1");
    }

    String faint(String text) {
        return paint(text, "2");
    }

    String alarm(String text) {
        return paint(text, "31");
    }

    String added(String text) {
        return paint(text, "32");
    }

    String removed(String text) {
        return paint(text, "31");
    }

    private String paint(String text, String code) {
        return colours ? "\033[" + code + "m" + text + "\033[0m" : text;
    }
}
