package dev.skep.benchmark;

import java.io.PrintStream;
import java.util.Locale;

/** Prints figures as they are measured: a table for people, an object per line for programs. */
public final class BenchmarkReport {
    private final PrintStream out;
    private final PrintStream progress;
    private final boolean json;
    private boolean titled;
    private boolean allHold = true;

    BenchmarkReport(PrintStream out, PrintStream progress, boolean json) {
        this.out = out;
        this.progress = progress;
        this.json = json;
    }

    /** Says what is being done, for a person who waits. */
    public void progress(String what) {
        progress.println("… " + what);
    }

    public void add(Figure figure) {
        allHold &= figure.holds();
        out.println(json ? json(figure) : row(figure));
        out.flush();
    }

    boolean allHold() {
        return allHold;
    }

    private String row(Figure figure) {
        String title = "";
        if (!titled) {
            titled = true;
            title =
                    String.format(
                            Locale.ROOT,
                            "%-40s %14s %-9s %-44s %7s %9s%n",
                            "figure",
                            "value",
                            "unit",
                            "against",
                            "ratio",
                            "goal");
        }
        Double ratio = figure.ratio();
        String against =
                figure.against() == null
                        ? ""
                        : figure.againstValue() == null
                                ? figure.against()
                                : figure.against() + " " + Figure.plain(figure.againstValue());
        String line =
                String.format(
                        Locale.ROOT,
                        "%-40s %14s %-9s %-44s %7s %9s %s",
                        figure.name(),
                        Figure.plain(figure.value()),
                        figure.unit(),
                        against,
                        ratio == null ? "" : String.format(Locale.ROOT, "%.2f", ratio),
                        figure.goal(),
                        figure.holds() ? "holds" : "MISSED");
        return title + line.stripTrailing() + (figure.note() == null ? "" : "  " + figure.note());
    }

    private static String json(Figure figure) {
        Double ratio = figure.ratio();
        StringBuilder line = new StringBuilder("{\"figure\":").append(quote(figure.name()));
        line.append(",\"value\":").append(Figure.plain(figure.value()));
        line.append(",\"unit\":").append(quote(figure.unit()));
        if (figure.against() != null) {
            line.append(",\"against\":").append(quote(figure.against()));
            line.append(",\"against_value\":")
                    .append(
                            figure.againstValue() == null
                                    ? "null"
                                    : Figure.plain(figure.againstValue()));
        }
        if (ratio != null) {
            line.append(",\"ratio\":").append(String.format(Locale.ROOT, "%.3f", ratio));
        }
        line.append(",\"goal\":").append(quote(figure.goal().toString()));
        line.append(",\"holds\":").append(figure.holds());
        if (figure.note() != null) {
            line.append(",\"note\":").append(quote(figure.note()));
        }
        return line.append('}').toString();
    }

    static String quote(String text) {
        return '"' + text.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
    }
}
