package dev.skep.supervisor.view;

import dev.skep.agents.view.LogPageStore;
import dev.skep.agents.view.MailPageStore;
import dev.skep.agents.view.SessionPageStore;
import dev.skep.kernel.identity.Principal;
import dev.skep.store.Database;
import java.util.List;
import java.util.Optional;

/** Sessions, logs and mail in pages, with names instead of ids. */
public final class HistoryReader {
    private final FleetReader fleet;
    private final SessionPageStore sessions;
    private final LogPageStore logs;
    private final MailPageStore mail;

    public HistoryReader(FleetReader fleet, Database database) {
        this.fleet = fleet;
        this.sessions = new SessionPageStore(database);
        this.logs = new LogPageStore(database);
        this.mail = new MailPageStore(database);
    }

    public List<SessionView> sessions(
            Principal who,
            SessionPageStore.Filter filter,
            Optional<SessionPageStore.After> after,
            int limit) {
        DisplayNames names = DisplayNames.of(fleet, who);
        return sessions.newest(who, filter, after, limit).stream()
                .map(row -> SessionView.of(row, names))
                .toList();
    }

    public Optional<SessionView> session(Principal who, String agent, String run, int session) {
        return sessions.find(who, agent, run, session)
                .map(row -> SessionView.of(row, DisplayNames.of(fleet, who)));
    }

    public List<LogLine> linesBefore(
            Principal who, LogPageStore.Filter filter, Optional<String> id, int limit) {
        DisplayNames names = DisplayNames.of(fleet, who);
        return logs.before(who, filter, id, limit).stream()
                .map(row -> LogLine.of(row, names))
                .toList();
    }

    public List<LogLine> linesAfter(
            Principal who, LogPageStore.Filter filter, String id, int limit) {
        DisplayNames names = DisplayNames.of(fleet, who);
        return logs.after(who, filter, id, limit).stream()
                .map(row -> LogLine.of(row, names))
                .toList();
    }

    public List<MailView> mail(
            Principal who, MailPageStore.Filter filter, Optional<String> before, int limit) {
        DisplayNames names = DisplayNames.of(fleet, who);
        return mail.newest(who, filter, before, limit).stream()
                .map(row -> MailView.of(row, names.agents()))
                .toList();
    }

    public Optional<MailView> message(Principal who, String id) {
        return mail.find(who, id)
                .map(row -> MailView.of(row, DisplayNames.of(fleet, who).agents()));
    }
}
