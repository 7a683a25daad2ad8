package dev.skep.runner.mcp;

import dev.skep.models.ToolOffer;

/**
 * A tool as its server describes it, within bounds.
 *
 * @param schema of its arguments, a JSON object
 */
record ServerTool(String server, String name, String description, String schema) {
    /** Providers take no longer name. */
    private static final int LONGEST_NAME = 64;

    /** How a command line calls it, and what the rules of protection are matched with. */
    String called() {
        return server + "." + name;
    }

    /**
     * As models see it.
     *
     * @param number for a name that is not its own alone; 0 for none
     */
    ToolOffer offer(int number) {
        String ending = number == 0 ? "" : "_" + number;
        String plain = (server + "__" + name).replaceAll("[^A-Za-z0-9_-]", "_");
        String cut = plain.substring(0, Math.min(plain.length(), LONGEST_NAME - ending.length()));
        return new ToolOffer(
                cut + ending, ToolCommandLine.WORD + " " + called(), description, schema);
    }
}
