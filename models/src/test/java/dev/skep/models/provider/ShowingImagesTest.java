package dev.skep.models.provider;

import static org.assertj.core.api.Assertions.assertThat;

import dev.skep.models.CommandCall;
import dev.skep.models.ImageFile;
import dev.skep.models.Model;
import dev.skep.models.ModelCard;
import dev.skep.models.ModelListener;
import dev.skep.models.ModelMessage;
import dev.skep.models.ModelReply;
import dev.skep.models.ModelRequest;
import dev.skep.models.ModelSettings;
import dev.skep.models.Prices;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** An image in a conversation, as each provider is sent it. */
final class ShowingImagesTest {
    private static final byte[] IMAGE = new byte[300_000];

    static {
        Arrays.fill(IMAGE, (byte) 7);
    }

    private final FakeProvider provider = new FakeProvider(FakeProvider.silent());
    private final RemoteModels models = new RemoteModels(InstantSource.system());
    @TempDir Path dir;

    @AfterEach
    void close() {
        models.close();
        provider.close();
    }

    private Model model(WireFormat wire) {
        return models.open(
                new ModelCard("test", wire.providerProtocol.word(), 1000, Prices.FREE),
                new ModelEndpoint(
                        wire.providerProtocol,
                        "the-model",
                        provider.address(),
                        "the-key",
                        true,
                        ModelEndpoint.ReasoningStyle.NONE,
                        true,
                        8192,
                        Duration.ofSeconds(10)));
    }

    private static ModelRequest request(Path file) {
        return new ModelRequest(
                "You are Ada.",
                List.of(
                        new ModelMessage.Said("Look."),
                        new ModelMessage.Replied("", List.of(new CommandCall("t1", "view")), null),
                        new ModelMessage.Output("t1", "a.png"),
                        new ModelMessage.Said(
                                "And now?",
                                List.of(new ImageFile("a.png", "image/png", IMAGE.length, file)))),
                true,
                ModelSettings.standard());
    }

    @ParameterizedTest
    @EnumSource
    void it_is_in_the_request_and_costs_no_token_a_byte(WireFormat wire) throws Exception {
        Path file = Files.write(dir.resolve("kept"), IMAGE);
        provider.answer(FakeProvider.stream(wire.whole()));
        ModelReply reply = model(wire).ask(request(file), ModelListener.SILENT);
        assertThat(reply).isInstanceOf(ModelReply.Answered.class);
        assertThat(provider.nextRequest().body())
                .contains(Base64.getEncoder().encodeToString(IMAGE))
                .contains("image/png")
                .contains("a.png")
                .contains("And now?");
        assertThat(model(wire).demand(request(file)).promptBytes())
                .isBetween(ImageFile.MOST_TOKENS, ImageFile.MOST_TOKENS + 5_000);
    }

    @ParameterizedTest
    @EnumSource
    void one_that_is_no_longer_kept_is_told_as_such(WireFormat wire) throws Exception {
        provider.answer(FakeProvider.stream(wire.whole()));
        model(wire).ask(request(dir.resolve("gone")), ModelListener.SILENT);
        assertThat(provider.nextRequest().body()).contains("it is no longer kept");
    }
}
