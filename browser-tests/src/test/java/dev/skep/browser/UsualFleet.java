package dev.skep.browser;

import dev.skep.browser.demo.DemoFleet;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.stream.Stream;

/** The made-up fleet of all classes that leave it as it was: filling it takes seconds. */
final class UsualFleet {
    private static final DemoFleet FLEET = start();

    private UsualFleet() {}

    static DemoFleet get() {
        return FLEET;
    }

    private static DemoFleet start() {
        try {
            Path folder = Files.createTempDirectory("skep-demo-");
            var fleet = new DemoFleet(folder, DemoFleet.Size.USUAL, InChromium.clock());
            Runtime.getRuntime().addShutdownHook(new Thread(() -> end(fleet, folder)));
            return fleet;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void end(DemoFleet fleet, Path folder) {
        fleet.close();
        try (Stream<Path> files = Files.walk(folder)) {
            files.sorted(Comparator.reverseOrder()).forEach(file -> file.toFile().delete());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
