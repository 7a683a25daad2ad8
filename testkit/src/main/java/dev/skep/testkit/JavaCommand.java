package dev.skep.testkit;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The command line of another Java process on this one's class path. */
public final class JavaCommand {
    /** The second compiler would not pay before it ends, and takes the cores from the tests. */
    private static final List<String> FLAGS =
            List.of(
                    "-XX:+UseSerialGC",
                    "-XX:TieredStopAtLevel=1",
                    "-Xmx256m",
                    "--enable-native-access=ALL-UNNAMED");

    private JavaCommand() {}

    public static List<String> of(Class<?> main, String... arguments) {
        List<String> words = new ArrayList<>();
        words.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        words.addAll(FLAGS);
        words.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName()));
        words.addAll(List.of(arguments));
        return words;
    }

    /** The same, to be started. */
    public static ProcessBuilder process(Class<?> main, String... arguments) {
        return new ProcessBuilder(of(main, arguments));
    }
}
