package dev.skep.runner.tools;

/** What a tool says to the model that called it. */
record ToolAnswer(String text, boolean failed) {
    static ToolAnswer of(String text) {
        return new ToolAnswer(text, false);
    }

    static ToolAnswer failed(String why) {
        return new ToolAnswer(why, true);
    }
}
