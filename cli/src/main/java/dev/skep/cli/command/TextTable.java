package dev.skep.cli.command;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;

/** Rows under heads, aligned; the last column is as long as it is. */
final class TextTable {
    private final List<String[]> rows = new ArrayList<>();
    private final int[] widths;

    TextTable(String... heads) {
        widths = new int[heads.length];
        row((Object[]) heads);
    }

    void row(Object... cells) {
        String[] texts = new String[widths.length];
        for (int i = 0; i < widths.length; i++) {
            // What agents wrote must not steer the terminal.
            texts[i] = String.valueOf(cells[i]).replaceAll("\\p{Cntrl}+", " ").strip();
            widths[i] = Math.max(widths[i], texts[i].length());
        }
        rows.add(texts);
    }

    void print(PrintWriter out) {
        for (String[] row : rows) {
            StringBuilder line = new StringBuilder();
            for (int i = 0; i < row.length; i++) {
                line.append(row[i]);
                if (i < row.length - 1) {
                    line.append(" ".repeat(widths[i] - row[i].length() + 2));
                }
            }
            out.println(line.toString().stripTrailing());
        }
    }
}
