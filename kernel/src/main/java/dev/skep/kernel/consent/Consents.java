package dev.skep.kernel.consent;

import dev.skep.kernel.error.ErrorCode;
import dev.skep.kernel.error.SkepException;
import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** All that a host lets a hub do. */
public record Consents(Set<Consent> all) {
    public static final Consents NONE = new Consents(Set.of());

    /** What a hub may do by default. */
    public static final Consents USUAL = new Consents(Set.of(Consent.STEER));

    /** What a hub in the same process as the runner may do. */
    public static final Consents OF_OWN_HUB =
            new Consents(Set.of(Consent.STEER, Consent.AGENTS, Consent.JOBS));

    private static final String NOTHING = "none";

    public Consents {
        all = Set.copyOf(all);
    }

    /** Reads {@code steer,jobs}, or {@code none}. */
    public static Consents parse(String text) {
        if (text.strip().equals(NOTHING)) {
            return NONE;
        }
        Set<Consent> all = EnumSet.noneOf(Consent.class);
        for (String word : text.split(",", -1)) {
            all.add(
                    Consent.named(word.strip())
                            .orElseThrow(
                                    () ->
                                            new SkepException(
                                                    ErrorCode.BAD_REQUEST,
                                                    "'%s' is nothing a host can allow; write some of steer,agents,jobs,exec, or none"
                                                            .formatted(word.strip()))));
        }
        return new Consents(all);
    }

    /** What a peer reports that it allows; unknown words are ignored. */
    public static Consents reported(Collection<String> words) {
        return new Consents(
                words.stream()
                        .map(Consent::named)
                        .flatMap(Optional::stream)
                        .collect(Collectors.toSet()));
    }

    public boolean has(Consent consent) {
        return all.contains(consent);
    }

    public Consents and(Consent more) {
        Set<Consent> both = EnumSet.of(more);
        both.addAll(all);
        return new Consents(both);
    }

    /** The labels, in the order of {@link Consent}. */
    public List<String> labels() {
        return all.stream().sorted().map(Consent::label).toList();
    }

    /** As {@link #parse} reads it. */
    @Override
    public String toString() {
        return all.isEmpty() ? NOTHING : String.join(",", labels());
    }
}
