package dev.skep.runner.redact;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;

/**
 * Takes out the secrets it was told, also where they are encoded, and whatever has the shape of a
 * key. It errs on the side of removing. Thread-safe.
 */
public final class Redactor {
    /** What stands in the place of a secret. */
    public static final String MARK = "[redacted]";

    /** Shorter values would take ordinary words out of every text. */
    private static final int SHORTEST = 6;

    /** Keys by how their makers mark them. */
    private static final Pattern KEY_SHAPED =
            Pattern.compile(
                    String.join(
                            "|",
                            "\\b(?:sk|pk|rk)-[A-Za-z0-9_-]{16,}",
                            "\\bAIza[0-9A-Za-z_-]{30,}",
                            "\\b(?:gh[pousr]_|github_pat_)[A-Za-z0-9_]{20,}",
                            "\\bglpat-[A-Za-z0-9_-]{16,}",
                            "\\bxox[abeoprs]-[A-Za-z0-9-]{10,}",
                            "\\b(?:AKIA|ASIA)[0-9A-Z]{16}\\b",
                            "\\bhf_[A-Za-z0-9]{20,}",
                            "\\bskep_[a-z]*_?[A-Za-z0-9_-]{20,}",
                            "\\beyJ[A-Za-z0-9_-]{8,}\\.[A-Za-z0-9_-]{8,}\\.[A-Za-z0-9_-]{8,}",
                            "-----BEGIN [A-Z ]*PRIVATE KEY-----[\\s\\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|\\z)"));

    private static final Pattern BEARER =
            Pattern.compile("(?i)(\\bbearer\\s+)[A-Za-z0-9._~+/-]{12,}=*");

    private static final Pattern URL_PASSWORD = Pattern.compile("(://[^\\s/:@]*:)[^\\s/@]+(@)");

    private final Set<String> learned = new TreeSet<>();
    private volatile List<String> known = List.of();

    public Redactor(Collection<String> secrets) {
        learn(secrets);
    }

    /** Takes out these too from now on. */
    public synchronized void learn(Collection<String> secrets) {
        for (String secret : secrets) {
            if (secret.length() >= SHORTEST) {
                byte[] bytes = secret.getBytes(StandardCharsets.UTF_8);
                learned.add(secret);
                learned.add(URLEncoder.encode(secret, StandardCharsets.UTF_8));
                learned.add(Base64.getEncoder().withoutPadding().encodeToString(bytes));
                learned.add(Base64.getUrlEncoder().withoutPadding().encodeToString(bytes));
            }
        }
        // A secret that contains another must go first, or its rest would stay.
        known =
                learned.stream()
                        .sorted(Comparator.comparingInt(String::length).reversed())
                        .toList();
    }

    public String redact(String text) {
        String clean = text;
        for (String secret : known) {
            clean = clean.replace(secret, MARK);
        }
        clean = KEY_SHAPED.matcher(clean).replaceAll(MARK);
        if (clean.contains("earer") || clean.contains("EARER")) {
            clean = BEARER.matcher(clean).replaceAll("$1" + MARK);
        }
        return clean.contains("://")
                ? URL_PASSWORD.matcher(clean).replaceAll("$1" + MARK + "$2")
                : clean;
    }
}
