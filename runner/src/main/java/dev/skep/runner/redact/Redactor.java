package dev.skep.runner.redact;

import java.util.BitSet;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Takes out the secrets it was told, also where they are encoded, and whatever has the shape of a
 * key. It errs on the side of removing. Thread-safe.
 */
public final class Redactor {
    /** What stands in the place of a secret. */
    public static final String MARK = "[redacted]";

    /** Shorter values would take ordinary words out of every text. */
    static final int SHORTEST = 6;

    private static final Pattern BEARER =
            Pattern.compile("(?i)(\\bbearer\\s+)[A-Za-z0-9._~+/-]{12,}=*");

    private static final Pattern URL_PASSWORD = Pattern.compile("(://[^\\s/:@]*:)[^\\s/@]+(@)");

    /** What is looked for: as it stands, and with blanks and line ends left out. */
    private record Known(Needles anywhere, Needles brokenByBlanks) {}

    private final Set<Needle> learned = new LinkedHashSet<>();
    private volatile Known known = new Known(new Needles(Set.of()), new Needles(Set.of()));

    public Redactor(Collection<String> secrets) {
        learn(secrets);
    }

    /** Takes out these too from now on. */
    public synchronized void learn(Collection<String> secrets) {
        int before = learned.size();
        for (String secret : secrets) {
            if (secret.length() >= SHORTEST && !SecretNames.ordinary(secret)) {
                learned.addAll(Needle.of(secret, SHORTEST));
            }
        }
        if (learned.size() > before) {
            known =
                    new Known(
                            new Needles(learned),
                            new Needles(learned.stream().filter(Needle::brokenByBlanks).toList()));
        }
    }

    public String redact(String text) {
        BitSet secret = secrets(text);
        String clean = secret.isEmpty() ? text : marked(text, secret);
        if (clean.contains("earer") || clean.contains("EARER")) {
            clean = BEARER.matcher(clean).replaceAll("$1" + MARK);
        }
        return clean.contains("://")
                ? URL_PASSWORD.matcher(clean).replaceAll("$1" + MARK + "$2")
                : clean;
    }

    /** For a text that comes in pieces: a secret may begin in one and end in the next. */
    public RedactedStream stream() {
        return new RedactedStream(this);
    }

    /** Where the end of a text may be the beginning of a known secret; its length if nowhere. */
    int mayBegin(String text) {
        Known now = known;
        int plain = now.anywhere().mayBegin(text);
        if (now.brokenByBlanks().isEmpty()) {
            return plain;
        }
        // No tool puts more blanks than this between what it writes.
        int from = Math.max(0, text.length() - 4 * now.brokenByBlanks().longest());
        Unbroken unbroken = Unbroken.of(text.substring(from));
        int broken = now.brokenByBlanks().mayBegin(unbroken.text());
        return Math.min(plain, from + unbroken.at(broken));
    }

    /** The place, or one beside it that is not within a secret. */
    int cut(String text, int place) {
        if (place == 0 || place == text.length()) {
            return place;
        }
        BitSet secret = secrets(text);
        if (!secret.get(place) || !secret.get(place - 1)) {
            return place;
        }
        return secret.nextClearBit(place) == text.length()
                ? text.length()
                : secret.previousClearBit(place) + 1;
    }

    /** Which characters belong to secrets. */
    private BitSet secrets(String text) {
        BitSet secret = known(text);
        KeyShapes.find(text, secret);
        return secret;
    }

    /** Which characters belong to known secrets. */
    private BitSet known(String text) {
        Known now = known;
        BitSet secret = new BitSet();
        now.anywhere().find(text, (start, end, needle) -> mark(secret, text, start, end, needle));
        if (!now.brokenByBlanks().isEmpty()) {
            Unbroken unbroken = Unbroken.of(text);
            if (unbroken.isShorter()) {
                now.brokenByBlanks()
                        .find(
                                unbroken.text(),
                                (start, end, needle) ->
                                        mark(
                                                secret,
                                                text,
                                                unbroken.at(start),
                                                unbroken.at(end - 1) + 1,
                                                needle));
            }
        }
        return secret;
    }

    private static void mark(BitSet secret, String text, int start, int end, Needle needle) {
        boolean before = needle.shared() && start > 0 && isBase64(text.charAt(start - 1));
        boolean after = needle.shared() && end < text.length() && isBase64(text.charAt(end));
        int last = after ? end + 1 : end;
        while (needle.shared() && last < text.length() && text.charAt(last) == '=') {
            last++; // what fills up a last group
        }
        secret.set(before ? start - 1 : start, last);
    }

    private static boolean isBase64(char c) {
        return (c >= 'a' && c <= 'z')
                || (c >= 'A' && c <= 'Z')
                || (c >= '0' && c <= '9')
                || c == '+'
                || c == '/'
                || c == '-'
                || c == '_';
    }

    private static String marked(String text, BitSet secret) {
        StringBuilder clean = new StringBuilder(text.length());
        int from = 0;
        for (int start = secret.nextSetBit(0); start >= 0; start = secret.nextSetBit(from)) {
            clean.append(text, from, start).append(MARK);
            from = secret.nextClearBit(start);
        }
        return clean.append(text, from, text.length()).toString();
    }
}
