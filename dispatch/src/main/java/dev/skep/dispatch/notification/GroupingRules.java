package dev.skep.dispatch.notification;

import dev.skep.dispatch.alert.Digest;
import dev.skep.dispatch.alert.Webhook;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Decides when what waits for a channel leaves as one message, and what that is called. */
final class GroupingRules {
    /** How many reasons a message shows; Discord takes no more embeds, and nobody reads more. */
    static final int SHOWN = 10;

    /** A channel gets at most one message in this time. */
    static final Duration APART = Duration.ofMinutes(1);

    /** A page shows it while somebody looks; what comes at once is still put together. */
    private static final Duration FOR_PAGES = Duration.ofSeconds(3);

    private static final int LONGEST_TITLE = 120;

    private GroupingRules() {}

    /**
     * When the message is due.
     *
     * @param since when the first reason began to wait
     * @param told when the last message began its way, or null
     */
    static Instant due(Webhook.Kind kind, Instant since, @Nullable Instant told) {
        Instant gathered = since.plus(kind == Webhook.Kind.BROWSER ? FOR_PAGES : APART);
        Instant apart = told == null ? gathered : told.plus(APART);
        return gathered.isAfter(apart) ? gathered : apart;
    }

    /** The reason itself, or how many there are of each kind. */
    static String title(List<Notice> notices) {
        if (notices.size() == 1 && notices.getFirst().more() == 0) {
            String text = notices.getFirst().text();
            return text.length() <= LONGEST_TITLE
                    ? text
                    : text.substring(0, LONGEST_TITLE - 1) + "…";
        }
        Map<NotificationKind, Long> counts = new LinkedHashMap<>();
        notices.forEach(each -> counts.merge(each.kind(), 1 + each.more(), Long::sum));
        return counts.entrySet().stream()
                .map(
                        each ->
                                each.getValue() == 1
                                        ? each.getKey().title()
                                        : each.getValue() + " " + each.getKey().many())
                .collect(Collectors.joining(", "));
    }

    /** The kinds that a message tells, as its topic. */
    static String topic(List<Notice> notices) {
        return notices.stream()
                .map(each -> each.kind().label())
                .distinct()
                .collect(Collectors.joining(","));
    }

    /** How many reasons a message does not show. */
    static long more(List<Notice> notices, List<Digest.Item> shown) {
        return notices.size() - shown.size() + notices.stream().mapToLong(Notice::more).sum();
    }
}
