package dev.skep.dispatch.event;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.skep.kernel.error.SkepException;
import dev.skep.kernel.event.EventBus;
import dev.skep.kernel.event.FleetEvent;
import dev.skep.kernel.id.HostId;
import dev.skep.kernel.id.OrgId;
import dev.skep.kernel.id.UlidSource;
import dev.skep.store.Database;
import dev.skep.store.engine.Databases;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Hosts join and leave while the database takes nothing: they are told when it does again. */
class EventsHeardWhileNothingCanBeWrittenTest {
    private static final OrgId ORG = new OrgId("01ORG0000000000000000000AA");
    private final InstantSource clock = InstantSource.system();

    @Test
    void they_are_written_later_in_their_order() {
        var eventPublisher =
                new EventPublisher(new EventBus(), new UlidSource(clock, new Random(7)), clock);
        eventPublisher.setWanted(true);
        try (Database database = Databases.openInMemory(clock)) {
            eventPublisher.onEvent(revoked("first"));
            rename(database, "org_events", "elsewhere");
            assertThatThrownBy(() -> eventPublisher.write(database))
                    .isInstanceOf(SkepException.class);
            eventPublisher.onEvent(revoked("second"));
            assertThatThrownBy(() -> eventPublisher.write(database))
                    .isInstanceOf(SkepException.class);
            rename(database, "elsewhere", "org_events");
            eventPublisher.onEvent(revoked("third"));
            eventPublisher.write(database);
            assertThat(hosts(eventPublisher, database)).containsExactly("first", "second", "third");

            eventPublisher.write(database);
            assertThat(hosts(eventPublisher, database)).as("once").hasSize(3);
        }
    }

    private static FleetEvent revoked(String host) {
        return new FleetEvent.HostRevoked(ORG, Instant.EPOCH, new HostId(host));
    }

    private static void rename(Database database, String table, String name) {
        database.write(tx -> tx.update("ALTER TABLE %s RENAME TO %s".formatted(table, name)));
    }

    private static List<Object> hosts(EventPublisher eventPublisher, Database database) {
        return database.read(db -> eventPublisher.rows().withoutPlace(db, 10)).stream()
                .flatMap(row -> row.events().stream())
                .map(event -> event.data().get("hostId"))
                .toList();
    }
}
