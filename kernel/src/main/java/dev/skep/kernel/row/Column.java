package dev.skep.kernel.row;

import java.util.regex.Pattern;

/** One column of a synced table, by its name on disk and on the wire. */
public record Column(String name, Type type, boolean required) {
    private static final Pattern PLAIN = Pattern.compile("[a-z][a-z0-9_]*");

    /** How a value is kept: {@code String} for TEXT, {@code Long} for INTEGER. */
    public enum Type {
        TEXT,
        INTEGER
    }

    public Column {
        // Names are put into SQL, so they come from our descriptions only and are plain words.
        if (!PLAIN.matcher(name).matches()) {
            throw new IllegalArgumentException("not a plain column name: " + name);
        }
    }

    public static Column text(String name) {
        return new Column(name, Type.TEXT, true);
    }

    public static Column integer(String name) {
        return new Column(name, Type.INTEGER, true);
    }

    /** The same column, allowed to be null. */
    public Column optional() {
        return new Column(name, type, false);
    }
}
