package dev.skep.app.command;

import dev.skep.transport.route.Fields;
import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;

/** A list as columns that line up. */
final class Columns {
    private Columns() {}

    static void print(PrintWriter out, List<Fields> rows, List<String> columns) {
        int[] widths =
                columns.stream()
                        .mapToInt(
                                column ->
                                        Math.max(
                                                column.length(),
                                                rows.stream()
                                                        .mapToInt(r -> r.shown(column).length())
                                                        .max()
                                                        .orElse(0)))
                        .toArray();
        StringBuilder header = new StringBuilder();
        for (int i = 0; i < widths.length; i++) {
            append(header, columns.get(i).toUpperCase(Locale.ROOT), widths[i]);
        }
        out.println(header.toString().stripTrailing());
        for (Fields row : rows) {
            StringBuilder line = new StringBuilder();
            for (int i = 0; i < widths.length; i++) {
                append(line, row.shown(columns.get(i)), widths[i]);
            }
            out.println(line.toString().stripTrailing());
        }
    }

    private static void append(StringBuilder line, String cell, int width) {
        line.append(cell).repeat(' ', width - cell.length() + 2);
    }
}
