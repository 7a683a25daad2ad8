package dev.skep.fleet;

import dev.skep.testkit.JavaCommand;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** A hub as a process of its own, with the memory a user's has, and figures about it. */
final class MeasuredHub implements AutoCloseable {
    private static final Pattern TOTAL = Pattern.compile("(?m)^Total\\s+\\d+\\s+(\\d+)");

    /** Dead room that the collector left where it was, counted as if it were something. */
    private static final Pattern FILLERS =
            Pattern.compile("(?m)^\\s*\\d+:\\s+\\d+\\s+(\\d+)\\s+\\S*jdk\\.internal\\.vm\\.Filler");

    private static final Pattern CLASS =
            Pattern.compile("(?m)^\\s*\\d+:\\s+\\d+\\s+(\\d+)\\s+(\\S+)");
    private static final Pattern RESIDENT = Pattern.compile("VmRSS:\\s+(\\d+) kB");
    private static final Pattern USED = Pattern.compile("used (\\d+)K");

    private final Process process;
    final String url;
    final Path dataDir;

    /**
     * What it has, in bytes.
     *
     * @param live what is left of the heap after a collection
     */
    record Memory(long live, long resident, int files) {
        @Override
        public String toString() {
            return "live heap %.1f MB, resident %.0f MB, %d files"
                    .formatted(live / 1e6, resident / 1e6, files);
        }
    }

    MeasuredHub(Path dataDir) throws IOException {
        this.dataDir = dataDir;
        List<String> words = new ArrayList<>(JavaCommand.of(NodeProcess.class, "hub"));
        words.removeIf(word -> word.startsWith("-Xmx") || word.startsWith("-XX:Tiered"));
        words.add(dataDir.toString());
        words.add("0");
        process = new ProcessBuilder(words).redirectError(ProcessBuilder.Redirect.DISCARD).start();
        BufferedReader out = process.inputReader(StandardCharsets.UTF_8);
        url = String.valueOf(out.readLine()).replaceFirst("^hub ", "");
    }

    int port() {
        return Integer.parseInt(url.substring(url.lastIndexOf(':') + 1));
    }

    /** After a collection. */
    Memory collected() throws IOException {
        String histogram = jcmd("GC.class_histogram");
        long filling = 0;
        Matcher fillers = FILLERS.matcher(histogram);
        while (fillers.find()) {
            filling += Long.parseLong(fillers.group(1));
        }
        return memory(number(TOTAL, histogram) - filling);
    }

    /** As it is. */
    Memory now() throws IOException {
        Matcher used = USED.matcher(jcmd("GC.heap_info"));
        long kilobytes = 0;
        while (used.find()) {
            kilobytes += Long.parseLong(used.group(1));
        }
        return memory(kilobytes * 1_024);
    }

    private Memory memory(long heap) throws IOException {
        Path proc = Path.of("/proc", Long.toString(process.pid()));
        long resident = number(RESIDENT, Files.readString(proc.resolve("status"))) * 1_024;
        try (var files = Files.list(proc.resolve("fd"))) {
            return new Memory(heap, resident, (int) files.count());
        }
    }

    /** The live bytes of each class, after a collection. */
    Map<String, Long> classes() throws IOException {
        Map<String, Long> bytes = new HashMap<>();
        Matcher line = CLASS.matcher(jcmd("GC.class_histogram"));
        while (line.find()) {
            bytes.merge(line.group(2), Long.parseLong(line.group(1)), Long::sum);
        }
        return bytes;
    }

    /** The classes that grew most since then, a line each. */
    String growth(Map<String, Long> before) throws IOException {
        Map<String, Long> grown = classes();
        before.forEach((type, bytes) -> grown.merge(type, -bytes, Long::sum));
        return grown.entrySet().stream()
                .sorted(Map.Entry.<String, Long>comparingByValue().reversed())
                .limit(25)
                .map(each -> "%,12d %s".formatted(each.getValue(), each.getKey()))
                .collect(Collectors.joining("\n"));
    }

    private String jcmd(String command) throws IOException {
        Path jcmd = Path.of(System.getProperty("java.home"), "bin", "jcmd");
        Process asked =
                new ProcessBuilder(jcmd.toString(), Long.toString(process.pid()), command).start();
        try (InputStream out = asked.getInputStream()) {
            return new String(out.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    private static long number(Pattern pattern, String text) {
        Matcher found = pattern.matcher(text);
        if (!found.find()) {
            throw new AssertionError("no figure in: " + text);
        }
        return Long.parseLong(found.group(1));
    }

    @Override
    public void close() {
        process.destroyForcibly().onExit().join();
    }
}
