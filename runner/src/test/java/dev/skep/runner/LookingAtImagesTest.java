package dev.skep.runner;

import static dev.skep.runner.PlayedModels.commands;
import static org.assertj.core.api.Assertions.assertThat;

import dev.skep.models.ImageFile;
import dev.skep.models.ModelMessage;
import dev.skep.models.ModelRequest;
import dev.skep.models.ToolOffer;
import dev.skep.transport.route.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The built-in command {@code view}, through a real shell. */
final class LookingAtImagesTest {
    private static final byte[] DOT =
            Base64.getDecoder()
                    .decode(
                            "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGNgYGBgAAAABQABh6FO1AAAAABJRU5ErkJggg==");

    @TempDir Path dir;

    private final PlayedModels models = new PlayedModels().seeing("m");

    private static String view(String path) {
        return "view " + Json.text(Map.of("path", path));
    }

    private Path file(String name, byte[] bytes) throws IOException {
        Path file = dir.resolve("work/alice").resolve(name);
        Files.createDirectories(file.getParent());
        return Files.write(file, bytes);
    }

    private TestRunner start(String more, String... lines) {
        TestRunner.agent(dir, "alice", "prompt: x\nmodel: m\n" + more);
        return TestRunner.start(dir, models.model("m", commands(List.of(lines))));
    }

    private ModelRequest last() {
        return models.requests.getLast();
    }

    @Test
    void a_model_sees_an_image_after_the_outputs_of_its_reply_and_still_after_a_restart()
            throws Exception {
        Path file = file("a b.png", DOT);
        try (TestRunner test = start("", view("a b.png"), "echo beside")) {
            test.recorder.await("alice OUTPUT: a b.png, PNG, " + DOT.length + " bytes");
            test.recorder.await("alice is WAITING");
        }
        assertThat(models.requests).hasSizeGreaterThanOrEqualTo(2);
        assertThat(last().messages().getLast()).isInstanceOf(ModelMessage.Said.class);
        assertThat(last().images()).extracting(ImageFile::mimeType).containsExactly("image/png");
        assertThat(last().images().getFirst().base64())
                .hasValue(Base64.getEncoder().encodeToString(DOT));

        Files.delete(file);
        int before = models.requests.size();
        try (TestRunner test = start("", view("a b.png"), "echo beside")) {
            test.runner.agentService().talk("alice", "Look again.");
            test.recorder.await("alice is WAITING");
        }
        assertThat(models.requests.size()).isGreaterThan(before);
        assertThat(last().images().getFirst().base64())
                .hasValue(Base64.getEncoder().encodeToString(DOT));
    }

    @Test
    void what_is_no_image_or_too_large_is_refused_by_name() throws Exception {
        file("a.txt", new byte[] {1, 2, 3});
        file("large.png", Arrays.copyOf(DOT, 4_000_000));
        try (TestRunner test = start("", view("a.txt"), view("large.png"), view("b.png"), "view")) {
            test.recorder.await("error: view: a.txt is no PNG, JPEG, GIF or WebP");
            test.recorder.await("error: view: large.png has more than 3500 KB");
            test.recorder.await("error: view: b.png is not there");
            test.recorder.await("error: view: takes one JSON object with path");
            test.recorder.await("alice is WAITING");
        }
        assertThat(last().images()).isEmpty();
    }

    @Test
    void a_context_holds_twenty_images_and_says_so_of_the_next() throws Exception {
        file("a.png", DOT);
        String[] views = new String[21];
        Arrays.fill(views, view("a.png"));
        try (TestRunner test = start("", views)) {
            test.recorder.await("alice is WAITING");
        }
        assertThat(last().images()).hasSize(20);
        assertThat(PlayedModels.sight(last()))
                .contains("Not shown: your context holds 20 images already");
    }

    @Test
    void a_model_that_sees_no_images_is_not_offered_to() throws Exception {
        file("a.png", DOT);
        TestRunner.agent(dir, "alice", "prompt: x\nmodel: blind\n");
        models.model("blind", commands(List.of(view("a.png"))));
        try (TestRunner test = TestRunner.start(dir, models)) {
            test.recorder.await("error: view: your model blind cannot see images");
            test.recorder.await("alice is WAITING");
        }
        assertThat(last().tools()).extracting(ToolOffer::name).doesNotContain("view");
        assertThat(last().system()).doesNotContain("look at an image");
    }

    @Test
    void a_person_is_asked_about_an_image_like_about_a_command() throws Exception {
        file("a.png", DOT);
        try (TestRunner test =
                start(
                        "protection: manual\nallow: [\"session *\", \"view a.*\"]\n",
                        view("a.png"),
                        view("/etc/b.png"))) {
            test.recorder.await("alice OUTPUT: a.png, PNG");
            test.recorder.await("alice is AWAITING_APPROVAL");
        }
    }
}
