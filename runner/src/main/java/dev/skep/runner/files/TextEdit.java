package dev.skep.runner.files;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The exact replacement of a piece of text by another. */
public final class TextEdit {
    /** What became of it. */
    public sealed interface Result {
        /**
         * The whole text after it.
         *
         * @param pieces what was changed, at most so many as people look at
         */
        record Edited(String text, int times, List<Piece> pieces) implements Result {}

        record Refused(String why) implements Result {}
    }

    /**
     * Whole lines before and after.
     *
     * @param line the first of them, from 1
     */
    public record Piece(int line, String before, String after) {}

    private static final int MOST_PIECES = 10;

    private TextEdit() {}

    /** The text of a file; empty for one that holds something else. */
    public static Optional<String> text(byte[] bytes) {
        try {
            String text =
                    StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
            return text.indexOf(0) >= 0 ? Optional.empty() : Optional.of(text);
        } catch (CharacterCodingException binary) {
            return Optional.empty();
        }
    }

    /**
     * Replaces.
     *
     * @param all every occurrence, instead of the only one
     */
    public static Result of(String text, String before, String after, boolean all) {
        String wanted = inLinesOf(text, before);
        String now = inLinesOf(text, after);
        if (wanted.equals(now)) {
            return new Result.Refused("old_text and new_text are the same");
        }
        List<Integer> places = places(text, wanted);
        if (places.isEmpty()) {
            return new Result.Refused(
                    "does not contain old_text; it must be the same to the last space, so read the file again");
        }
        if (places.size() > 1 && !all) {
            return new Result.Refused(
                    "contains old_text %d times, in lines %s; give more of what is around it, or all: true"
                            .formatted(places.size(), lines(text, places)));
        }
        List<Piece> pieces = new ArrayList<>();
        StringBuilder edited = new StringBuilder(text.length());
        int at = 0;
        for (int place : places) {
            if (pieces.size() < MOST_PIECES) {
                pieces.add(piece(text, place, wanted, now));
            }
            edited.append(text, at, place).append(now);
            at = place + wanted.length();
        }
        edited.append(text, at, text.length());
        return new Result.Edited(edited.toString(), places.size(), pieces);
    }

    /** Models write line feeds; a file that ends its lines otherwise keeps doing so. */
    private static String inLinesOf(String text, String written) {
        int feeds = text.length() - text.replace("\n", "").length();
        int pairs = (text.length() - text.replace("\r\n", "").length()) / 2;
        boolean dos = pairs > 0 && pairs == feeds;
        return dos ? written.replace("\r\n", "\n").replace("\n", "\r\n") : written;
    }

    private static List<Integer> places(String text, String wanted) {
        List<Integer> places = new ArrayList<>();
        int at = text.indexOf(wanted);
        while (at >= 0) {
            places.add(at);
            at = text.indexOf(wanted, at + wanted.length());
        }
        return places;
    }

    private static String lines(String text, List<Integer> places) {
        String shown =
                String.join(
                        ", ",
                        places.stream()
                                .limit(MOST_PIECES)
                                .map(place -> "" + lineOf(text, place))
                                .toList());
        return places.size() > MOST_PIECES ? shown + " …" : shown;
    }

    private static int lineOf(String text, int place) {
        return 1 + (int) text.chars().limit(place).filter(c -> c == '\n').count();
    }

    private static Piece piece(String text, int place, String wanted, String now) {
        int from = text.lastIndexOf('\n', place - 1) + 1;
        int end = text.indexOf('\n', Math.max(place, place + wanted.length() - 1));
        int to = end < 0 ? text.length() : end + 1;
        String head = text.substring(from, place);
        String tail = text.substring(Math.min(to, place + wanted.length()), to);
        return new Piece(lineOf(text, place), text.substring(from, to), head + now + tail);
    }
}
