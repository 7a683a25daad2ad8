package dev.skep.shell.redact;

import java.util.BitSet;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Removes the secrets that it knows, also in encoded form, and everything that has the shape of a
 * key. When in doubt, it removes. Thread-safe.
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
    private record KnownSecrets(SecretMatcher anywhere, SecretMatcher brokenByBlanks) {}

    private final Set<SecretForm> learned = new LinkedHashSet<>();
    private volatile KnownSecrets known =
            new KnownSecrets(new SecretMatcher(Set.of()), new SecretMatcher(Set.of()));

    public Redactor(Collection<String> secrets) {
        learn(secrets);
    }

    /** Takes out these too from now on. */
    public synchronized void learn(Collection<String> secrets) {
        int before = learned.size();
        for (String secret : secrets) {
            if (secret.length() >= SHORTEST && !SecretNames.ordinary(secret)) {
                learned.addAll(SecretForm.of(secret, SHORTEST));
            }
        }
        if (learned.size() > before) {
            known =
                    new KnownSecrets(
                            new SecretMatcher(learned),
                            new SecretMatcher(
                                    learned.stream().filter(SecretForm::brokenByBlanks).toList()));
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
        KnownSecrets now = known;
        int plain = now.anywhere().mayBegin(text);
        if (now.brokenByBlanks().isEmpty()) {
            return plain;
        }
        // No tool puts more blanks than this between what it writes.
        int from = Math.max(0, text.length() - 4 * now.brokenByBlanks().longest());
        UnwrappedText unwrappedText = UnwrappedText.of(text.substring(from));
        int broken = now.brokenByBlanks().mayBegin(unwrappedText.text());
        return Math.min(plain, from + unwrappedText.at(broken));
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
        KeyPatterns.find(text, secret);
        return secret;
    }

    /** Which characters belong to known secrets. */
    private BitSet known(String text) {
        KnownSecrets now = known;
        BitSet secret = new BitSet();
        now.anywhere()
                .find(text, (start, end, secretForm) -> mark(secret, text, start, end, secretForm));
        if (!now.brokenByBlanks().isEmpty()) {
            UnwrappedText unwrappedText = UnwrappedText.of(text);
            if (unwrappedText.isShorter()) {
                now.brokenByBlanks()
                        .find(
                                unwrappedText.text(),
                                (start, end, secretForm) ->
                                        mark(
                                                secret,
                                                text,
                                                unwrappedText.at(start),
                                                unwrappedText.at(end - 1) + 1,
                                                secretForm));
            }
        }
        return secret;
    }

    private static void mark(
            BitSet secret, String text, int start, int end, SecretForm secretForm) {
        boolean before = secretForm.shared() && start > 0 && isBase64(text.charAt(start - 1));
        boolean after = secretForm.shared() && end < text.length() && isBase64(text.charAt(end));
        int last = after ? end + 1 : end;
        while (secretForm.shared() && last < text.length() && text.charAt(last) == '=') {
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
