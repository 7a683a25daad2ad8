package dev.skep.app.docs;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A page of the reference. What the code knows is written anew each time; words that only people
 * know (what a code means, what to do) stand in the page itself and are taken over from it.
 */
final class Markdown {
    /** In place of words that nobody has written yet; a test finds it. */
    static final String UNWRITTEN = "(not described)";

    private final StringBuilder text = new StringBuilder();
    private final Map<String, List<String>> kept;

    /** A page that takes words over from its earlier self. */
    Markdown(String earlier) {
        this.kept = words(earlier);
    }

    private static Map<String, List<String>> words(String page) {
        Map<String, List<String>> words = new HashMap<>();
        page.lines()
                .filter(line -> line.startsWith("| ") && line.endsWith(" |"))
                .map(line -> line.substring(2, line.length() - 2).split(" \\| ", -1))
                .forEach(cells -> words.put(cells[0], List.of(cells)));
        return words;
    }

    Markdown line(String line) {
        text.append(line).append('\n');
        return this;
    }

    /** A paragraph or heading, and an empty line. */
    Markdown block(String block) {
        return line(block).line("");
    }

    Markdown head(String... cells) {
        return row(cells).line("|---".repeat(cells.length) + "|");
    }

    Markdown row(String... cells) {
        return line(
                "| "
                        + String.join(
                                " | ",
                                Arrays.stream(cells).map(cell -> cell.replace("|", "\\|")).toList())
                        + " |");
    }

    /** A row that ends with words of people, found by its first cell. */
    Markdown describedRow(int words, String... known) {
        List<String> earlier = kept.getOrDefault(known[0], List.of());
        List<String> cells = new ArrayList<>(List.of(known));
        for (int i = known.length; i < known.length + words; i++) {
            int place = earlier.size() == known.length + words ? i : earlier.size();
            cells.add(place < earlier.size() ? earlier.get(place) : UNWRITTEN);
        }
        return row(cells.toArray(String[]::new));
    }

    @Override
    public String toString() {
        return text.toString().strip() + "\n";
    }
}
