package dev.skep.kernel.row;

import java.util.regex.Pattern;

/**
 * One column of a synced table, by its name on disk and on the wire.
 *
 * @param longest how many characters a text may have, at home and from elsewhere
 */
public record Column(String name, Type type, boolean required, int longest) {
    /** Ids, times and words that programs choose. */
    public static final int WORD = 1_000;

    /** What people call a host or an agent; a file of that name must be possible. */
    public static final int NAME = 255;

    /** A path, a list, a line. */
    public static final int LINE = 10_000;

    /** Something that failed, in its own words. */
    public static final int PARAGRAPH = 100_000;

    /** Free text: as long as a whole row may be. */
    public static final int ROW = 1 << 20;

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
        if (longest < 1 || longest > ROW) {
            throw new IllegalArgumentException(name + " may be so long: " + longest);
        }
    }

    /** Text that is a word unless {@link #upTo} says otherwise. */
    public static Column text(String name) {
        return new Column(name, Type.TEXT, true, WORD);
    }

    public static Column integer(String name) {
        return new Column(name, Type.INTEGER, true, WORD);
    }

    /** The same column, allowed to be null. */
    public Column optional() {
        return new Column(name, type, false, longest);
    }

    /** The same column for longer or shorter texts. */
    public Column upTo(int characters) {
        return new Column(name, type, required, characters);
    }

    /** Whether a value is too long to be kept in it. */
    public boolean isTooShortFor(Object value) {
        return value instanceof String text && text.length() > longest;
    }
}
