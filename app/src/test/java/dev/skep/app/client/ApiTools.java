package dev.skep.app.client;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** The programs of npm that read OpenAPI documents, if they are on this machine. */
final class ApiTools {
    static final String HOW_TO_INSTALL =
            "no such tool here: npm ci in .ci/api, and name its node_modules/.bin with -Dskep.api.packages";

    private static final Path BIN = Path.of(System.getProperty("skep.api.packages", ""));

    private ApiTools() {}

    static boolean areRequired() {
        return Boolean.getBoolean("skep.api.required");
    }

    static boolean areThere() {
        return Stream.of("openapi-typescript", "tsc", "redocly")
                .allMatch(tool -> Files.isExecutable(BIN.resolve(tool)));
    }

    /** A folder in which programs find the packages. */
    static void offer(Path folder) throws IOException {
        Files.createSymbolicLink(
                folder.resolve("node_modules"), BIN.toAbsolutePath().normalize().getParent());
    }

    /** What a program of theirs, or Node itself, printed. */
    record Printed(int status, String text) {}

    static Printed run(Path folder, Map<String, String> environment, String... command)
            throws IOException, InterruptedException {
        List<String> words = new ArrayList<>(List.of(command));
        if (!words.getFirst().equals("node")) {
            words.set(0, BIN.toAbsolutePath().resolve(words.getFirst()).toString());
        }
        Path out = Files.createTempFile(folder, "printed", ".txt");
        ProcessBuilder builder =
                new ProcessBuilder(words)
                        .directory(folder.toFile())
                        .redirectErrorStream(true)
                        .redirectOutput(out.toFile());
        builder.environment().putAll(environment);
        Process process = builder.start();
        try {
            boolean ended = process.waitFor(2, TimeUnit.MINUTES);
            String text = Files.readString(out, StandardCharsets.UTF_8);
            return new Printed(ended ? process.exitValue() : -1, text);
        } finally {
            process.destroyForcibly();
        }
    }
}
