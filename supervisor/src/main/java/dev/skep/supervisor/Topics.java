package dev.skep.supervisor;

import dev.skep.agents.view.MailPageStore;
import dev.skep.agents.view.SessionPageStore;
import dev.skep.supervisor.live.Topic;
import dev.skep.supervisor.source.Jobs;
import dev.skep.supervisor.source.Sources;
import dev.skep.supervisor.view.Attention;
import dev.skep.supervisor.view.Fleet;
import dev.skep.supervisor.view.History;
import dev.skep.supervisor.view.Totals;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** The lists that pages can watch; of a long history, its newest part. */
final class Topics {
    private static final int WINDOW = 300;

    private Topics() {}

    static List<Topic> of(
            Sources sources, Fleet fleet, History history, Totals totals, Attention attention) {
        List<Topic> topics = new ArrayList<>();
        topics.add(
                new Topic(
                        "fleet",
                        Set.of("hosts", "users", "user_notifications", "alerts", "job_runs"),
                        totals::of));
        topics.add(
                new Topic(
                        "attention",
                        Set.of("hosts", "users", "user_notifications", "alerts", "job_runs"),
                        attention::of));
        topics.add(new Topic("hosts", Set.of("hosts", "host_health"), fleet::hosts));
        topics.add(
                new Topic(
                        "agents",
                        Set.of("users", "user_notifications", "mail_messages", "mail_status"),
                        fleet::agents));
        topics.add(
                new Topic(
                        "sessions",
                        Set.of("run_session"),
                        who ->
                                history.sessions(
                                        who,
                                        SessionPageStore.Filter.ALL,
                                        Optional.empty(),
                                        WINDOW)));
        topics.add(
                new Topic(
                        "mail",
                        Set.of("mail_messages", "mail_recipients", "mail_status"),
                        who ->
                                history.mail(
                                        who, MailPageStore.Filter.ALL, Optional.empty(), WINDOW)));
        sources.nodes()
                .ifPresent(
                        n ->
                                topics.add(
                                        new Topic(
                                                "nodes",
                                                Set.of("nodes", "stats"),
                                                who -> fleet.nodes(who, n.all(who)))));
        sources.jobs()
                .ifPresent(
                        j ->
                                topics.add(
                                        new Topic(
                                                "jobs",
                                                Set.of("jobs", "job_runs"),
                                                who ->
                                                        j.newest(
                                                                who,
                                                                Jobs.Filter.ALL,
                                                                Optional.empty(),
                                                                WINDOW))));
        sources.servers()
                .ifPresent(
                        s ->
                                topics.add(
                                        new Topic(
                                                "servers",
                                                Set.of("server_instances"),
                                                who -> fleet.servers(who, s.all(who)))));
        sources.links().ifPresent(l -> topics.add(new Topic("links", Set.of(), l::all)));
        sources.alerts()
                .ifPresent(
                        a ->
                                topics.add(
                                        new Topic(
                                                "alerts",
                                                Set.of("alerts"),
                                                who ->
                                                        fleet.alerts(
                                                                who,
                                                                a.newest(
                                                                        who,
                                                                        false,
                                                                        Optional.empty(),
                                                                        WINDOW)))));
        sources.approvals()
                .ifPresent(
                        a ->
                                topics.add(
                                        new Topic(
                                                "approvals",
                                                Set.of("approvals", "user_notifications"),
                                                a::waiting)));
        return topics;
    }
}
