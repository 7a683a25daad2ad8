package dev.skep.wire;

import static org.assertj.core.api.Assertions.assertThat;

import com.github.luben.zstd.Zstd;
import dev.skep.kernel.row.SyncRow;
import dev.skep.kernel.row.TableRows;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Whatever a peer sends is a message, a row to set aside, or refused by name; never a failure. */
class OddMessagesTest {
    private static final String ROW =
            """
            "host_id":"01HOST00000000000000000000","gen":0,"ver":"7","id":"1","username":"bob","name_conflict":0,\
            "created_at":"2027-01-01T00:00:00.000000Z","updated_at":"2027-01-01T00:00:00.000000Z\"""";

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "null",
                "[]",
                "{\"type\":\"sync_res",
                "{\"type\":\"sync_available\"} {}",
                "{\"type\":\"DROP TABLE users\"}",
                "{\"type\":7}",
                "{\"req_id\":7}",
                "{\"type\":\"sync_available\",\"type\":\"sync_error\"}",
                "{\"type\":\"sync_error\",\"error\":\"x\"}",
                "{\"type\":\"sync_error\",\"error\":\"x\",\"message\":\"y\",\"expected\":1.5}",
                "{\"type\":\"sync_error\",\"error\":\"x\",\"message\":\"y\",\"actual\":99999999999999999999}",
                "{\"type\":\"catch_up\",\"host_id\":\"h\",\"schema_version\":1,\"lastSyncedFromHub\":\"0\",\"hub_head\":\"0\"}",
                "{\"type\":\"catch_up\",\"host_id\":\"h\",\"schema_version\":1,\"protocol\":[1],\"lastSyncedFromHub\":\"0\",\"hub_head\":\"0\"}",
                "{\"type\":\"catch_up\",\"host_id\":\"h\",\"schema_version\":-1,\"protocol\":[1,1],\"lastSyncedFromHub\":\"0\",\"hub_head\":\"0\"}",
                "{\"type\":\"catch_up\",\"host_id\":\"h\",\"schema_version\":1,\"protocol\":[1,1],\"lastSyncedFromHub\":\"-1\",\"hub_head\":\"0\"}",
                "{\"type\":\"catch_up\",\"host_id\":\"h\",\"schema_version\":1,\"protocol\":[1,1],\"lastSyncedFromHub\":\"9223372036854775808\",\"hub_head\":\"0\"}",
                "{\"type\":\"catch_up\",\"host_id\":\"h\",\"schema_version\":1,\"protocol\":[1,1],\"lastSyncedFromHub\":0,\"hub_head\":\"0\"}",
                "{\"type\":\"sync_available\",\"tables\":[]}",
                "{\"type\":\"sync_available\",\"tables\":{\"users\":{}}}",
                "{\"type\":\"sync_available\",\"tables\":{\"users\":[7]}}",
                "{\"type\":\"sync_available\",\"rejects\":[7]}",
                "{\"type\":\"sync_available\",\"x\":[[[[[[[[[[[[[[[[[[[[]]]]]]]]]]]]]]]]]]]]}"
            })
    void what_is_no_message_is_refused(String text) {
        assertThat(decode(text))
                .isInstanceOfSatisfying(
                        DecodedMessage.Garbage.class,
                        garbage -> {
                            assertThat(garbage.error()).isEqualTo(Message.SyncError.BAD_MESSAGE);
                            // Into the log: none of the peer's own words.
                            assertThat(garbage.why()).doesNotContain("DROP");
                        });
    }

    @Test
    void bytes_that_are_no_text_are_refused() {
        byte[] bytes = "{\"type\":\"sync_available\"}".getBytes(StandardCharsets.UTF_8);
        bytes[12] = (byte) 0xff;
        assertThat(Samples.codec().decode(new Frame(false, bytes)))
                .isInstanceOf(DecodedMessage.Garbage.class);
    }

    @Test
    void a_small_frame_that_would_unpack_to_a_large_message_is_refused_unread() {
        byte[] bomb = Zstd.compress(new byte[WireLimits.MESSAGE + 1]);
        assertThat(bomb.length).isLessThan(10_000);
        assertTooLarge(bomb);
        assertTooLarge(Arrays.copyOf(Zstd.compress(new byte[5_000]), 20));
        assertTooLarge(new byte[] {Frame.COMPRESSED, 1, 2, 3});
    }

    private static void assertTooLarge(byte[] bytes) {
        assertThat(Samples.codec().decode(new Frame(true, bytes)))
                .isInstanceOfSatisfying(
                        DecodedMessage.Garbage.class,
                        garbage ->
                                assertThat(garbage.error())
                                        .isEqualTo(Message.SyncError.FRAME_TOO_LARGE));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '\0',
            value = {
                "agents | {}                                | UNKNOWN_TABLE",
                "users; DROP TABLE users | {}               | UNKNOWN_TABLE",
                "users  | {}                                | BAD_COLUMN",
                "users  | {ROW,\"username\":\"eve\"}        | BAD_COLUMN",
                "users  | {ROW,\"title\":7}                 | BAD_COLUMN",
                "users  | {ROW,\"title\":[1,{\"a\":2}]}     | BAD_COLUMN",
                "users  | {ROW,\"title\":\"a\\u0000b\"}     | BAD_COLUMN",
                "users  | {ROW,\"title\":\"\\ud800\"}       | BAD_COLUMN",
                "users  | {ROW,\"title\":\"LONG\"}          | TOO_LARGE",
                "users  | {ROW,\"new\":1,\"new\":2}         | BAD_COLUMN"
            })
    void a_bad_row_is_set_aside_and_the_next_one_read(
            String table, String row, MessageRows.Refused.Reason reason) {
        String bad = row.replace("ROW", ROW).replace("LONG", "x".repeat(WireLimits.TEXT));
        MessageRows rows = rows("\"%s\":[%s],\"context_log\":[]".formatted(table, bad));
        assertThat(rows.tables()).isEmpty();
        assertThat(rows.refused()).singleElement().matches(r -> r.reason() == reason);
        assertThat(rows.refused().getFirst().json().length())
                .isLessThanOrEqualTo(WireLimits.REFUSED);
        if (table.equals("users")) {
            MessageRows both = rows("\"users\":[%s,{%s}]".formatted(bad, ROW));
            assertThat(both.count()).isEqualTo(1);
            assertThat(both.refused()).hasSize(1);
        }
    }

    @Test
    void a_page_of_nothing_but_bad_rows_fills_no_memory() {
        String bad = "{},".repeat(5_000);
        assertThat(rows("\"users\":[%s{}]".formatted(bad)).refused())
                .hasSize(WireLimits.REFUSED_ROWS);
    }

    @Test
    void columns_of_a_later_version_are_kept_and_passed_on() {
        String more = "\"x) VALUES (1); --\":\"1\",\"size\":1.50,\"tags\":[\"a\",{\"b\":null}]";
        String sent = "{%s,%s}".formatted(ROW, more);
        SyncRow row = rows("\"users\":[%s]".formatted(sent)).tables().getFirst().rows().getFirst();
        assertThat(row.extra()).isEqualTo("{%s}".formatted(more));
        String again =
                new String(
                        Frame.of(
                                        new Message.CatchUpResponse(
                                                MessageRows.of(
                                                        List.of(
                                                                new TableRows(
                                                                        Samples.USERS,
                                                                        List.of(row)))),
                                                0,
                                                0,
                                                false,
                                                false))
                                .bytes(),
                        StandardCharsets.UTF_8);
        assertThat(again).contains(sent);
    }

    @Test
    void the_org_and_the_place_in_the_feed_are_never_a_peers_to_say() {
        MessageRows rows =
                rows(
                        "\"users\":[{%s,\"org_id\":\"theirs\",\"feed\":99,\"extra\":\"{}\"}]"
                                .formatted(ROW));
        assertThat(rows.tables().getFirst().rows().getFirst().extra()).isNull();
    }

    private static MessageRows rows(String tables) {
        DecodedMessage read =
                decode(
                        """
                        {"type":"sync_response","req_id":1,"host_id":"h","tables":{%s},"upto":"7","head":"7","applied":"0"}"""
                                .formatted(tables));
        assertThat(read).isInstanceOf(DecodedMessage.Read.class);
        return ((Message.SyncResponse) ((DecodedMessage.Read) read).message()).rows();
    }

    private static DecodedMessage decode(String text) {
        return Samples.codec().decode(new Frame(false, text.getBytes(StandardCharsets.UTF_8)));
    }
}
