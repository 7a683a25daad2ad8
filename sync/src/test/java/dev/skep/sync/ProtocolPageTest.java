package dev.skep.sync;

import static org.assertj.core.api.Assertions.assertThat;

import dev.skep.wire.DecodedMessage;
import dev.skep.wire.Frame;
import dev.skep.wire.Message;
import dev.skep.wire.MessageCodec;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** docs/protocol.md says what the product reads and writes. */
class ProtocolPageTest {
    private static final Path PAGE = Path.of("..", "docs", "protocol.md");
    private static final Pattern EXAMPLE = Pattern.compile("```json\n(.*?)```", Pattern.DOTALL);

    /** White space between tokens; what is between quotes is matched first and kept. */
    private static final Pattern SPACE = Pattern.compile("(\"(?:[^\"\\\\]|\\\\.)*\")|\\s+");

    private final MessageCodec codec = new MessageCodec(ProductTables.SCHEMA.tables()::named);

    static List<String> examples() throws IOException {
        return EXAMPLE.matcher(Files.readString(PAGE))
                .results()
                .map(found -> compact(found.group(1)))
                .toList();
    }

    private static String compact(String json) {
        return SPACE.matcher(json).replaceAll(found -> found.group(1) == null ? "" : quoted(found));
    }

    private static String quoted(MatchResult found) {
        return Matcher.quoteReplacement(found.group(1));
    }

    @ParameterizedTest
    @MethodSource("examples")
    void an_example_is_read_and_written_the_same(String json) {
        DecodedMessage read = codec.decode(new Frame(false, json.getBytes(StandardCharsets.UTF_8)));
        assertThat(read).isInstanceOf(DecodedMessage.Read.class);
        Message message = ((DecodedMessage.Read) read).message();
        assertThat(new String(codec.encode(message).bytes(), StandardCharsets.UTF_8))
                .isEqualTo(json);
    }

    @Test
    void every_message_and_every_table_it_names_is_there() throws IOException {
        assertThat(examples().stream().map(ProtocolPageTest::type).distinct())
                .containsExactlyInAnyOrderElementsOf(MessageCodec.TYPES);
        String page = Files.readString(PAGE);
        ProductTables.SCHEMA
                .tables()
                .all()
                .forEach(t -> assertThat(page).contains("`" + t.name() + "`"));
    }

    private static String type(String json) {
        return new Frame(false, json.getBytes(StandardCharsets.UTF_8)).type();
    }

    @Test
    void every_refusal_and_every_reason_is_there() throws IOException {
        String page = Files.readString(PAGE);
        Stream.of(
                        Message.SyncError.SCHEMA_VERSION_MISMATCH,
                        Message.SyncError.UNKNOWN_HEAD,
                        Message.SyncError.OWNERSHIP_VIOLATION,
                        Message.SyncError.FRAME_TOO_LARGE,
                        Message.SyncError.NOT_AUTHORISED,
                        Message.SyncError.BAD_MESSAGE,
                        Message.SyncError.HOST_CLONED)
                .forEach(error -> assertThat(page).contains("`" + error + "`"));
        for (QuarantinedRow.Reason reason : QuarantinedRow.Reason.values()) {
            assertThat(page).contains("`" + reason.code() + "`");
        }
    }
}
