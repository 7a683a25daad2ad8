package dev.skep.app.docs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.skep.kernel.error.ErrorCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

/** What the pages name is there: files, flags, error codes, and tests they call to witness. */
class TrueWordsTest {
    private static final Path ROOT = Path.of("..");
    private static final Pattern LINK = Pattern.compile("\\]\\(([^)#: ]+)(#[^)]*)?\\)");
    private static final Pattern FLAG = Pattern.compile("(?<![\\w-])--[a-z][a-z-]+");
    private static final Pattern SHOWN_ERROR = Pattern.compile("(?m)^skep: .* \\[([a-z_]+)]$");
    private static final Pattern TEST = Pattern.compile("`([A-Z]\\w+Test)`");

    /** Flags of what is built from a checkout only, and of other programs. */
    private static final Set<String> OF_OTHERS =
            Set.of(
                    "--quick",
                    "--seed",
                    "--seeds",
                    "--store",
                    "--without",
                    "--list-rules",
                    "--minutes",
                    "--plan",
                    "--also-make",
                    "--fake",
                    "--upload-pack",
                    "--no-sandbox",
                    "--money");

    @Test
    void every_link_leads_to_a_file() throws IOException {
        List<String> dead = new ArrayList<>();
        for (Map.Entry<Path, String> page : pages().entrySet()) {
            matches(LINK, page.getValue())
                    .map(link -> link.group(1))
                    .filter(link -> !Files.exists(page.getKey().resolveSibling(link)))
                    .forEach(link -> dead.add(page.getKey() + " leads to " + link));
        }
        assertThat(dead).isEmpty();
    }

    @Test
    void every_flag_is_one_of_a_command() throws IOException {
        Set<String> known = new HashSet<>(OF_OTHERS);
        collect(CommandsPage.commands(), known);
        List<String> unknown = new ArrayList<>();
        for (Map.Entry<Path, String> page : pages().entrySet()) {
            matches(FLAG, page.getValue())
                    .map(MatchResult::group)
                    .filter(flag -> !known.contains(flag))
                    .forEach(flag -> unknown.add(page.getKey() + " names " + flag));
        }
        assertThat(unknown).isEmpty();
    }

    private static void collect(CommandLine command, Set<String> flags) {
        command.getCommandSpec().options().forEach(o -> flags.addAll(List.of(o.names())));
        command.getSubcommands().values().forEach(sub -> collect(sub, flags));
    }

    @Test
    void every_error_shown_has_a_code_of_ours() throws IOException {
        List<String> foreign = new ArrayList<>();
        for (Map.Entry<Path, String> page : pages().entrySet()) {
            matches(SHOWN_ERROR, page.getValue())
                    .map(error -> error.group(1))
                    .filter(code -> ErrorCode.named(code).isEmpty())
                    .forEach(code -> foreign.add(page.getKey() + " shows " + code));
        }
        assertThat(foreign).isEmpty();
    }

    @Test
    void every_test_called_to_witness_exists() throws IOException {
        Set<String> there = new HashSet<>();
        try (Stream<Path> modules = Files.list(ROOT)) {
            for (Path tests : modules.map(each -> each.resolve("src/test/java")).toList()) {
                if (Files.isDirectory(tests)) {
                    try (Stream<Path> files = Files.walk(tests)) {
                        files.map(file -> file.getFileName().toString().replace(".java", ""))
                                .forEach(there::add);
                    }
                }
            }
        }
        List<String> gone = new ArrayList<>();
        for (Map.Entry<Path, String> page : pages().entrySet()) {
            matches(TEST, page.getValue())
                    .map(named -> named.group(1))
                    .filter(named -> !there.contains(named))
                    .forEach(named -> gone.add(page.getKey() + " names " + named));
        }
        assertThat(gone).isEmpty();
    }

    private static Stream<MatchResult> matches(Pattern pattern, String text) {
        return pattern.matcher(text).results();
    }

    /** All that people read; decisions are history and may name what was. */
    private static Map<Path, String> pages() throws IOException {
        Map<Path, String> pages = new HashMap<>();
        for (Path folder :
                List.of(ROOT, ROOT.resolve("docs"), ROOT.resolve("docs").resolve("reference"))) {
            try (Stream<Path> files = Files.list(folder)) {
                for (Path page : files.filter(file -> file.toString().endsWith(".md")).toList()) {
                    pages.put(page, Files.readString(page));
                }
            }
        }
        return pages;
    }
}
