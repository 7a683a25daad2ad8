package dev.skep.benchmark.start;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.BrowserContext;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Playwright;
import dev.skep.benchmark.BenchmarkReport;
import dev.skep.benchmark.Figure;
import dev.skep.benchmark.Figure.Goal;
import dev.skep.browser.Chromium;
import dev.skep.testkit.FreePort;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/**
 * What a newcomer waits for: {@code ./skep up} in a fresh clone and an empty home, from the
 * launcher's first instruction until a page shows an agent at work; then Ctrl-C and the same again
 * at once. Of the machine it has the JDK, Maven and what Maven has downloaded before.
 */
final class FreshClone {
    private static final int LATER = 5;

    /**
     * Looked for in every frame that is drawn; a page's policy forbids Playwright's own waiting.
     */
    private static final String AN_AGENT_RUNS =
            """
            () => new Promise((seen, never) => {
              const look = () => [...document.querySelectorAll('tbody tr')].some(row =>
                  /alice|bob/.test(row.textContent) && /active|waiting/.test(row.textContent))
                ? seen() : requestAnimationFrame(look);
              setTimeout(() => never(new Error('no agent runs')), 30_000);
              look();
            })""";

    private final Path folder;
    private final Path home;

    /** The same each time: a browser is signed in at an address. */
    private final int port = FreePort.any();

    private FreshClone(Path folder, Path home) {
        this.folder = folder;
        this.home = home;
    }

    static void measure(BenchmarkReport report, Path scratch)
            throws IOException, InterruptedException {
        Optional<Path> chromium = Chromium.find();
        if (chromium.isEmpty()) {
            report.progress(Chromium.HOW_TO_INSTALL);
            return;
        }
        report.progress("a fresh clone of what is committed, in an empty home");
        var clone =
                new FreshClone(
                        scratch.resolve("clone"), Files.createDirectory(scratch.resolve("home")));
        clone.make();
        try (Playwright playwright = Chromium.playwright();
                Browser browser = Chromium.launch(playwright, chromium.get());
                BrowserContext person = browser.newContext()) {
            add(report, "up.first.page_ms", clone.up(person), 180_000);
            add(report, "up.second.page_ms", clone.up(person), 2_000);
            List<Double> later = new ArrayList<>();
            for (int i = 0; i < LATER; i++) {
                later.add(clone.up(person));
            }
            add(report, "up.later.page_worst_ms", Collections.max(later), 2_000);
        }
    }

    private static void add(BenchmarkReport report, String name, double millis, int atMost) {
        report.add(Figure.alone(name, millis, "ms", Goal.atMost(atMost)));
    }

    private void make() throws IOException, InterruptedException {
        String source = LauncherProcess.CHECKOUT.toAbsolutePath().toString();
        int status =
                new ProcessBuilder("git", "clone", "--quiet", source, folder.toString())
                        .inheritIO()
                        .start()
                        .waitFor();
        if (status != 0) {
            throw new IOException("no clone of " + source);
        }
    }

    /** One start and its end. */
    private double up(BrowserContext person) throws IOException, InterruptedException {
        var command = new ProcessBuilder("./skep", "up").directory(folder.toFile());
        command.environment().keySet().removeIf(FreshClone::wouldHelp);
        command.environment().put("HOME", home.toString());
        command.environment().put("SKEP_LISTEN", "127.0.0.1:" + port);
        command.environment().put("SKEP_REGISTRY_PORT", "none");
        try (Page page = person.newPage();
                LauncherProcess up = new LauncherProcess(command)) {
            String url = up.after("listening on ");
            Optional<String> signIn =
                    person.cookies().isEmpty()
                            ? Optional.of(up.after("within the hour: "))
                            : Optional.empty();
            up.ignoreTheRest();
            signIn.ifPresent(link -> signIn(page, link));
            page.navigate(url + "/agents");
            page.evaluate(AN_AGENT_RUNS);
            return up.millis();
        }
    }

    private static void signIn(Page page, String link) {
        page.navigate(link);
        page.waitForURL(there -> !there.contains("/sign-in"));
        page.locator("nav.main").waitFor();
    }

    private static boolean wouldHelp(String variable) {
        return variable.equals("JAVA_HOME")
                || variable.startsWith("SKEP_")
                || variable.startsWith("HUB_");
    }
}
