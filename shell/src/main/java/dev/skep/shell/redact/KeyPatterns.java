package dev.skep.shell.redact;

import java.util.BitSet;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Recognises keys by the marks of their issuers: a text is examined closely only where such a mark
 * occurs.
 */
final class KeyPatterns {
    /** What a key begins with, and how it goes on. */
    private record Shape(List<String> marks, Pattern pattern) {
        Shape(String pattern, String... marks) {
            this(List.of(marks), Pattern.compile(pattern));
        }
    }

    private static final List<Shape> SHAPES =
            List.of(
                    new Shape("\\b(?:sk|pk|rk)-[A-Za-z0-9_-]{16,}", "sk-", "pk-", "rk-"),
                    new Shape("\\bAIza[0-9A-Za-z_-]{30,}", "AIza"),
                    new Shape(
                            "\\b(?:gh[pousr]_|github_pat_)[A-Za-z0-9_]{20,}",
                            "ghp_",
                            "gho_",
                            "ghu_",
                            "ghs_",
                            "ghr_",
                            "github_pat_"),
                    new Shape("\\bglpat-[A-Za-z0-9_-]{16,}", "glpat-"),
                    new Shape("\\bxox[abeoprs]-[A-Za-z0-9-]{10,}", "xox"),
                    new Shape("\\b(?:AKIA|ASIA)[0-9A-Z]{16}\\b", "AKIA", "ASIA"),
                    new Shape("\\bhf_[A-Za-z0-9]{20,}", "hf_"),
                    new Shape("\\bskep_[a-z]*_?[A-Za-z0-9_-]{20,}", "skep_"),
                    new Shape(
                            "\\beyJ[A-Za-z0-9_-]{8,}\\.[A-Za-z0-9_-]{8,}\\.[A-Za-z0-9_-]{8,}",
                            "eyJ"),
                    new Shape(
                            "-----BEGIN [A-Z ]*PRIVATE KEY-----[\\s\\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|\\z)",
                            "-----BEGIN "));

    private KeyPatterns() {}

    /** Adds the characters that belong to what is shaped like a key. */
    static void find(String text, BitSet secret) {
        for (Shape shape : SHAPES) {
            for (String mark : shape.marks()) {
                int at = text.indexOf(mark);
                if (at < 0) {
                    continue;
                }
                Matcher matcher = shape.pattern().matcher(text).useTransparentBounds(true);
                while (at >= 0) {
                    boolean found = matcher.region(at, text.length()).lookingAt();
                    if (found) {
                        secret.set(at, matcher.end());
                    }
                    at = text.indexOf(mark, found ? matcher.end() : at + 1);
                }
            }
        }
    }
}
