package dev.skep.browser;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.BrowserType;
import com.microsoft.playwright.Playwright;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The machine's own Chromium; nothing is downloaded. */
public final class Chromium {
    /** What to do where there is none. */
    public static final String HOW_TO_INSTALL =
            "no Chromium on this machine: install one (Debian, Ubuntu: apt-get install chromium), or name it in CHROMIUM";

    private static final List<String> NAMES =
            List.of("chromium", "chromium-browser", "google-chrome", "google-chrome-stable");

    private static final List<String> FLAGS =
            List.of(
                    "--no-sandbox",
                    "--disable-gpu",
                    "--disable-quic",
                    "--no-first-run",
                    "--disable-background-networking",
                    "--disable-component-update",
                    "--disable-sync",
                    "--font-render-hinting=none");

    private Chromium() {}

    public static Optional<Path> find() {
        List<Path> candidates = new ArrayList<>();
        Optional.ofNullable(System.getenv("CHROMIUM")).map(Path::of).ifPresent(candidates::add);
        String path = Optional.ofNullable(System.getenv("PATH")).orElse("");
        for (String folder : (path + ":/usr/bin:/snap/bin").split(":", -1)) {
            NAMES.forEach(name -> candidates.add(Path.of(folder, name)));
        }
        candidates.add(Path.of("/Applications/Chromium.app/Contents/MacOS/Chromium"));
        return candidates.stream().filter(Files::isExecutable).findFirst();
    }

    public static Playwright playwright() {
        return Playwright.create(
                new Playwright.CreateOptions()
                        .setEnv(Map.of("PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD", "1")));
    }

    /** A browser with a profile of its own, which is gone with it. */
    public static Browser launch(Playwright playwright, Path executable) {
        return playwright
                .chromium()
                .launch(
                        new BrowserType.LaunchOptions()
                                .setExecutablePath(executable)
                                .setArgs(FLAGS));
    }
}
