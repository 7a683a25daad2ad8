package dev.skep.dispatch.alert;

import dev.skep.dispatch.outgoing.PinnedHttpPost;
import dev.skep.dispatch.outgoing.Smtp;
import dev.skep.kernel.retry.Backoff;
import java.time.Duration;
import java.util.Optional;
import java.util.random.RandomGenerator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Decides what follows from an answer to a message. */
final class DeliveryRules {
    static final int MOST_TRIES = 12;

    private static final int LONGEST_WORDS = 200;

    private static final Pattern RETRY_AFTER =
            Pattern.compile("\"retry_after\"\\s*:\\s*([0-9]+(?:\\.[0-9]+)?)");
    private static final Duration LONGEST = Duration.ofHours(6);

    private final Backoff backoff = Backoff.full(Duration.ofSeconds(10), LONGEST);
    private final RandomGenerator random;

    DeliveryRules(RandomGenerator random) {
        this.random = random;
    }

    /** What to do about a message. */
    sealed interface Next {
        record Done() implements Next {}

        record Again(Duration pause, String reason) implements Next {}

        record GiveUp(String reason, boolean disable) implements Next {}
    }

    /** What a mail server said. */
    Next answered(Smtp.Reply reply, int triesBefore) {
        String said = "answered %d: %s".formatted(reply.code(), inShort(reply.text()));
        if (reply.code() >= 200 && reply.code() < 300) {
            return new Next.Done();
        }
        return reply.isFinal() ? new Next.GiveUp(said, false) : failed(said, triesBefore);
    }

    /** What an incoming webhook of a chat said: what it refuses once it refuses again. */
    Next answeredByChat(PinnedHttpPost.Answer answer, int triesBefore) {
        int status = answer.status();
        boolean gone = status == 401 || status == 403 || status == 404;
        return gone || status == 400
                ? new Next.GiveUp(said(answer), gone)
                : answered(answer, triesBefore);
    }

    private static String said(PinnedHttpPost.Answer answer) {
        String words = inShort(answer.body());
        return "answered %d%s".formatted(answer.status(), words.isEmpty() ? "" : ": " + words);
    }

    /** The beginning of what the other side said, in one line. */
    private static String inShort(String text) {
        String line = text.replaceAll("[\\p{Cntrl}\\s]+", " ").strip();
        return line.length() <= LONGEST_WORDS ? line : line.substring(0, LONGEST_WORDS) + "…";
    }

    Next answered(PinnedHttpPost.Answer answer, int triesBefore) {
        int status = answer.status();
        if (status >= 200 && status < 300) {
            return new Next.Done();
        }
        if (status == 410) {
            return new Next.GiveUp("gone (410)", true);
        }
        if (status == 429) {
            Duration pause = retryAfter(answer).orElse(backoff.after(triesBefore + 1, random));
            return againUnlessTooOften(pause, "asked to slow down (429)", triesBefore);
        }
        if (status >= 300 && status < 400) {
            return new Next.GiveUp("redirects are not followed (%d)".formatted(status), false);
        }
        return failed(said(answer), triesBefore);
    }

    Next failed(String reason, int triesBefore) {
        return againUnlessTooOften(backoff.after(triesBefore + 1, random), reason, triesBefore);
    }

    private static Next againUnlessTooOften(Duration pause, String reason, int triesBefore) {
        return triesBefore + 1 >= MOST_TRIES
                ? new Next.GiveUp(reason, false)
                : new Next.Again(pause, reason);
    }

    /** Seconds in a header, or in Discord's body. */
    private static Optional<Duration> retryAfter(PinnedHttpPost.Answer answer) {
        Matcher inBody = RETRY_AFTER.matcher(answer.body());
        String text = inBody.find() ? inBody.group(1) : answer.headers().get("retry-after");
        if (text == null) {
            return Optional.empty();
        }
        try {
            Duration asked = Duration.ofMillis((long) (Double.parseDouble(text) * 1_000) + 1);
            return Optional.of(asked.compareTo(LONGEST) > 0 ? LONGEST : asked);
        } catch (NumberFormatException aDate) {
            return Optional.empty();
        }
    }
}
