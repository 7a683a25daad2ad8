package dev.skep.conformance.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.skep.agents.Agent;
import dev.skep.agents.AgentTables;
import dev.skep.agents.Notification;
import dev.skep.agents.cost.Cost;
import dev.skep.agents.mail.MailMessage;
import dev.skep.agents.mail.MailRecipient;
import dev.skep.agents.mail.MailStatus;
import dev.skep.agents.session.LogRow;
import dev.skep.agents.session.RunSession;
import dev.skep.agents.version.AgentVersion;
import dev.skep.directory.HostRow;
import dev.skep.directory.HostTable;
import dev.skep.kernel.id.AgentId;
import dev.skep.kernel.id.HostId;
import dev.skep.kernel.row.Column;
import dev.skep.store.feed.RowCodec;
import dev.skep.testkit.server.TestDatabase;
import java.lang.reflect.RecordComponent;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

@ParameterizedClass
@EnumSource(TestDatabase.class)
class RowCodecsTest {
    private static final Instant THEN = Instant.parse("2027-01-01T10:00:00.000001Z");
    private static final Instant LATER = Instant.parse("2027-01-02T10:00:00.000002Z");
    private static final AgentId ADA = new AgentId("01USR0000000000000000000AA");
    private static final String SELF = StoreFixture.SELF.value();

    private final TestDatabase kind;
    @TempDir Path folder;
    private StoreFixture fixture;

    RowCodecsTest(TestDatabase kind) {
        this.kind = kind;
    }

    @BeforeEach
    void open() {
        fixture = new StoreFixture(kind, folder);
    }

    @AfterEach
    void close() {
        fixture.close();
    }

    @Test
    void a_row_with_all_its_columns_is_read_as_it_was_written()
            throws ReflectiveOperationException {
        check(HostTable.ROWS, sample(HostRow.class));
        check(Agent.ROWS, sample(Agent.class));
        check(Notification.ROWS, sample(Notification.class));
        check(MailMessage.ROWS, sample(MailMessage.class));
        check(MailRecipient.ROWS, sample(MailRecipient.class));
        check(MailStatus.ROWS, sample(MailStatus.class));
        check(RunSession.ROWS, sample(RunSession.class));
        check(LogRow.ROWS, sample(LogRow.class));
        check(Cost.ROWS, sample(Cost.class));
        check(AgentVersion.ROWS, sample(AgentVersion.class));
    }

    /** A row with a value of its own in each component, also in those that are added later. */
    private static <R> R sample(Class<R> type) throws ReflectiveOperationException {
        RecordComponent[] components = Objects.requireNonNull(type.getRecordComponents());
        Class<?>[] types = new Class<?>[components.length];
        Object[] values = new Object[components.length];
        for (int i = 0; i < components.length; i++) {
            types[i] = components[i].getType();
            values[i] = sample(types[i], components[i].getName(), i + 1);
        }
        return type.getDeclaredConstructor(types).newInstance(values);
    }

    private static Object sample(Class<?> type, String name, int number)
            throws ReflectiveOperationException {
        if (type == String.class) {
            return name.startsWith("host") ? SELF : name;
        } else if (type == HostId.class) {
            return StoreFixture.SELF;
        } else if (type == AgentId.class) {
            return new AgentId(name);
        } else if (type == Instant.class) {
            return THEN.plusSeconds(number);
        } else if (type == boolean.class) {
            return true;
        } else if (type == int.class) {
            return number;
        } else if (type == long.class || type == Long.class) {
            return (long) number;
        } else if (type.isEnum()) {
            return Objects.requireNonNull(type.getEnumConstants())[1];
        }
        return sample(type);
    }

    private <R> void check(RowCodec<R> codec, R row) {
        fixture.database.write(
                tx -> {
                    fixture.own.put(tx, codec, row, LATER);
                    return true;
                });

        String table = codec.table().name();
        String from = "SELECT %s FROM %s".formatted(codec.columns(), table);
        assertThat(fixture.database.<List<R>>read(s -> s.list(from, codec::read)))
                .as(table)
                .containsExactly(row);
        for (Column column : codec.table().columns()) {
            String empty = "SELECT 1 FROM %s WHERE %s IS NULL".formatted(table, column.name());
            assertThat(fixture.database.<List<Boolean>>read(s -> s.list(empty, found -> true)))
                    .as("a %s without %s".formatted(table, column.name()))
                    .isEmpty();
        }
    }

    @Test
    void a_row_that_does_not_tell_its_times_has_those_of_the_write() {
        var recipient = new MailRecipient("r", "m", ADA, "to");
        fixture.database.write(
                tx -> {
                    fixture.own.put(tx, MailRecipient.ROWS, recipient, LATER);
                    return true;
                });

        String times = "SELECT created_at, updated_at FROM mail_recipients";
        assertThat(
                        fixture.database.<List<List<Instant>>>read(
                                s -> s.list(times, row -> List.of(row.time(1), row.time(2)))))
                .containsExactly(List.of(LATER, LATER));
    }

    @Test
    void a_joined_row_is_there_or_not_and_a_column_may_be_an_expression() {
        fixture.database.write(
                tx -> {
                    fixture.own.put(tx, MailStatus.ROWS, status("m1", THEN), THEN);
                    for (String message : List.of("m1", "m2")) {
                        var to = new MailRecipient(message, message, ADA, "to");
                        fixture.own.put(tx, MailRecipient.ROWS, to, THEN);
                    }
                    return true;
                });

        String sql =
                """
                SELECT %s, %s FROM mail_recipients r
                LEFT JOIN mail_status s ON s.message_id = r.message_id ORDER BY r.id
                """
                        .formatted(
                                MailRecipient.ROWS.columns("r", Map.of("type", "'cc'")),
                                MailStatus.ROWS.columns("s"));
        int from = MailRecipient.ROWS.width() + 1;
        List<String> read =
                fixture.database.read(
                        s ->
                                s.list(
                                        sql,
                                        row ->
                                                MailRecipient.ROWS.read(row).type()
                                                        + MailStatus.ROWS
                                                                .readJoined(row, from)
                                                                .map(MailStatus::readAt)));
        assertThat(read).containsExactly("ccOptional[%s]".formatted(THEN), "ccOptional.empty");
    }

    private static MailStatus status(String message, Instant readAt) {
        return new MailStatus(message, message, ADA, readAt, null);
    }

    @Test
    void a_row_without_a_user_is_read_all_the_same() {
        fixture.database.write(
                tx -> {
                    fixture.own.put(
                            tx,
                            AgentTables.MAIL_RECIPIENTS,
                            AgentTables.MAIL_RECIPIENTS.values(
                                    "id, message_id, user_id, type, created_at, updated_at",
                                    "r",
                                    "m",
                                    " ",
                                    "to",
                                    StoreFixture.TIME,
                                    StoreFixture.TIME));
                    return true;
                });

        String sql = "SELECT %s FROM mail_recipients".formatted(MailRecipient.ROWS.columns());
        assertThat(
                        fixture.database.<List<MailRecipient>>read(
                                s -> s.list(sql, MailRecipient.ROWS::read)))
                .containsExactly(new MailRecipient("r", "m", new AgentId("?"), "to"));
    }

    @Test
    void a_codec_that_forgets_a_column_or_invents_one_is_refused() {
        var builder = RowCodec.<String>of(AgentTables.MAIL_RECIPIENTS).column("id", id -> id);

        assertThatThrownBy(() -> builder.reads(row -> row.text("id")))
                .hasMessage("the codec of mail_recipients leaves out message_id");
        assertThatThrownBy(() -> builder.column("color", id -> id))
                .hasMessageContaining("mail_recipients has no column color");
        assertThatThrownBy(() -> builder.column("id", id -> id)).hasMessageContaining("twice");
        assertThatThrownBy(() -> AgentTables.MAIL_RECIPIENTS.values("id, color", "r", "red"))
                .hasMessageContaining("mail_recipients has no column");
    }
}
