package dev.skep.supervisor.view;

import dev.skep.kernel.id.Keyed;
import java.util.Map;

/**
 * The whole fleet in numbers; a row of its own topic.
 *
 * @param hosts by status; agents likewise, jobs where there is a queue
 * @param hostNames another number when a host comes, goes or is renamed
 * @param needs how many things need a person
 */
public record FleetView(
        String id,
        Map<String, Long> hosts,
        int hostNames,
        Map<String, Long> agents,
        Map<String, Long> jobs,
        long sessions,
        long nodes,
        long alerts,
        long needs,
        long unread,
        long spentToday)
        implements Keyed {}
