package dev.skep.app.adapter;

import dev.skep.agents.mail.PersonMailboxes;
import dev.skep.directory.module.HostProcess;
import dev.skep.directory.operator.Operator;
import dev.skep.directory.operator.OperatorService;
import dev.skep.directory.org.OrgStore;
import dev.skep.kernel.id.OrgId;
import dev.skep.kernel.identity.Principal;
import dev.skep.kernel.lifecycle.PeriodicTask;
import java.time.Duration;
import java.util.List;

/**
 * Gives each person who has signed in at a hub a mailbox there, so that agents can write to them
 * before they write first.
 */
public final class MailboxesOfOperators {
    private static final Duration EVERY = Duration.ofSeconds(15);

    private final HostProcess hub;
    private final OperatorService operators;
    private final PersonMailboxes mailboxes;

    public MailboxesOfOperators(HostProcess hub, OperatorService operators) {
        this.hub = hub;
        this.operators = operators;
        this.mailboxes =
                new PersonMailboxes(
                        hub.database(),
                        hub::rowsOf,
                        hub.host().id(),
                        hub.host().name(),
                        hub.ids(),
                        hub.clock());
    }

    /** Does it from now on. */
    public PeriodicTask periodically() {
        return new PeriodicTask("mailboxes of people", Duration.ofSeconds(1), EVERY, this::make);
    }

    void make() {
        Principal.Local local = new Principal.Local(hub.host().org());
        List<OrgId> orgs =
                hub.database().read(db -> new OrgStore().all(db, local)).stream()
                        .map(org -> new OrgId(org.id()))
                        .toList();
        for (OrgId org : orgs) {
            operators.all(new Principal.Local(org)).stream()
                    .filter(person -> person.signedInAt() != null && person.disabledAt() == null)
                    .map(Operator::username)
                    .forEach(name -> mailboxes.made(org, name));
        }
    }
}
