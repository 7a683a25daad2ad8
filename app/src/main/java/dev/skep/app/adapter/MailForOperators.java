package dev.skep.app.adapter;

import dev.skep.agents.view.MailForPeopleStore;
import dev.skep.dispatch.notification.MailForPeople;
import dev.skep.kernel.id.OrgId;
import dev.skep.store.Snapshot;
import java.util.List;

/** Mail to people's mailboxes, for those who want to be told of it. */
public final class MailForOperators implements MailForPeople {
    private final MailForPeopleStore mail = new MailForPeopleStore();

    @Override
    public List<Arrived> after(Snapshot snapshot, OrgId org, long position, int limit) {
        return mail.after(snapshot, org, position, limit).stream()
                .map(
                        each ->
                                new Arrived(
                                        each.position(),
                                        each.username(),
                                        each.message(),
                                        each.from(),
                                        each.subject(),
                                        each.at()))
                .toList();
    }

    @Override
    public long newest(Snapshot snapshot, OrgId org) {
        return mail.newest(snapshot, org);
    }
}
