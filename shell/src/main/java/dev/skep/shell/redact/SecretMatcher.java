package dev.skep.shell.redact;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Searches for many secrets at once: one step per character of a text, and a full comparison only
 * where a secret's first characters occur.
 */
final class SecretMatcher {
    /** The shortest needle there may be. */
    static final int HEAD = 4;

    private static final int SLOTS = 1 << 16;

    private final BitSet heads = new BitSet(SLOTS);
    private final Map<Long, List<SecretForm>> byHead = new HashMap<>();
    private final List<SecretForm> all;
    private final int longest;

    SecretMatcher(Collection<SecretForm> secretForms) {
        all = List.copyOf(secretForms);
        for (SecretForm secretForm : secretForms) {
            long head = head(secretForm.text(), 0);
            heads.set(slot(head));
            byHead.computeIfAbsent(head, _ -> new ArrayList<>()).add(secretForm);
        }
        longest = all.stream().mapToInt(secretForm -> secretForm.text().length()).max().orElse(0);
    }

    boolean isEmpty() {
        return all.isEmpty();
    }

    /** Receives each match. */
    interface Finding {
        void at(int start, int end, SecretForm secretForm);
    }

    void find(CharSequence text, Finding finding) {
        if (all.isEmpty() || text.length() < HEAD) {
            return;
        }
        long head = head(text, 0);
        for (int start = 0; ; start++) {
            if (heads.get(slot(head))) {
                look(text, start, head, finding);
            }
            if (start + HEAD >= text.length()) {
                return;
            }
            head = (head << 16) | text.charAt(start + HEAD);
        }
    }

    private void look(CharSequence text, int start, long head, Finding finding) {
        for (SecretForm secretForm : byHead(head)) {
            if (startsWith(text, start, secretForm.text(), secretForm.text().length())) {
                finding.at(start, start + secretForm.text().length(), secretForm);
            }
        }
    }

    /** Where the end of a text may be the beginning of a needle; the text's length if nowhere. */
    int mayBegin(CharSequence text) {
        for (int start = Math.max(0, text.length() - longest + 1); start < text.length(); start++) {
            int rest = text.length() - start;
            List<SecretForm> candidates = rest < HEAD ? all : byHead(head(text, start));
            for (SecretForm secretForm : candidates) {
                if (secretForm.text().length() > rest
                        && startsWith(text, start, secretForm.text(), rest)) {
                    return start;
                }
            }
        }
        return text.length();
    }

    /** How much of the end of a text can matter to {@link #mayBegin}. */
    int longest() {
        return longest;
    }

    private List<SecretForm> byHead(long head) {
        return heads.get(slot(head)) ? byHead.getOrDefault(head, List.of()) : List.of();
    }

    private static boolean startsWith(CharSequence text, int start, String needle, int length) {
        if (start + length > text.length()) {
            return false;
        }
        for (int i = 0; i < length; i++) {
            if (text.charAt(start + i) != needle.charAt(i)) {
                return false;
            }
        }
        return true;
    }

    private static long head(CharSequence text, int at) {
        long head = 0;
        for (int i = 0; i < HEAD; i++) {
            head = (head << 16) | text.charAt(at + i);
        }
        return head;
    }

    private static int slot(long head) {
        return (int) ((head * 0x9E3779B97F4A7C15L) >>> 48);
    }
}
