package dev.skep.runner;

import static dev.skep.runner.PlayedModels.commands;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OnAFullDiskTest {
    @TempDir Path dir;

    @Test
    void an_agent_waits_for_room_and_goes_on_by_itself() throws InterruptedException {
        TestRunner.agent(dir, "ada", "prompt: x\nmodel: m\n");
        CountDownLatch full = new CountDownLatch(1);
        PlayedModels.Play play = commands(List.of("seq 100000"), List.of("echo I am back"));
        PlayedModels models =
                new PlayedModels()
                        .model(
                                "m",
                                request -> {
                                    full.await();
                                    return play.reply(request);
                                });
        try (TestRunner test = TestRunner.start(dir, models)) {
            room(test, 1);
            full.countDown();
            test.recorder.await("ada is BACKING_OFF", "no space left");
            room(test, 1_000_000);
            test.recorder.await("ada OUTPUT: I am back");
            assertThat(String.join("\n", test.log("ada")))
                    .contains("this command may or may not have run");
        }
    }

    /** Lets the database have so many pages, though never fewer than it has. */
    private static void room(TestRunner test, int pages) {
        test.database.write(
                tx -> tx.first("PRAGMA max_page_count = " + pages, row -> row.number(1)));
    }
}
