package dev.skep.benchmark.ui;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.BrowserContext;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Playwright;
import com.microsoft.playwright.options.Cookie;
import dev.skep.agents.Agent;
import dev.skep.agents.session.LogEntry;
import dev.skep.agents.session.SessionKey;
import dev.skep.benchmark.Benchmark;
import dev.skep.benchmark.BenchmarkReport;
import dev.skep.benchmark.Figure;
import dev.skep.benchmark.Figure.Goal;
import dev.skep.benchmark.Scratch;
import dev.skep.browser.Chromium;
import dev.skep.browser.demo.DemoFleet;
import dev.skep.browser.demo.DemoTurn;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/** A page with 2,000 hosts that change, and a log of a million lines, in a real Chromium. */
public final class UiBenchmark implements Benchmark {
    private static final int HOSTS = 2_000;
    private static final int BEATS = 20;
    private static final int BEAT_MILLIS = 100;

    /** How many hosts the page says are online. */
    private static final String ONLINE =
            "() => [...document.querySelectorAll('.tally button')].find(b => b.textContent.includes('online')).textContent";

    @Override
    public String name() {
        return "ui";
    }

    @Override
    public void run(BenchmarkReport report, boolean quick) throws Exception {
        Optional<Path> chromium = Chromium.find();
        if (chromium.isEmpty()) {
            report.progress(Chromium.HOW_TO_INSTALL);
            return;
        }
        try (var scratch = new Scratch();
                var fleet =
                        new DemoFleet(
                                scratch.folder(),
                                new DemoFleet.Size(HOSTS, 200, 100, 0),
                                InstantSource.system());
                Playwright playwright = Chromium.playwright();
                Browser browser = Chromium.launch(playwright, chromium.get())) {
            hosts(report, quick, fleet, browser);
            longLog(report, quick, fleet, browser);
        }
    }

    private static void hosts(
            BenchmarkReport report, boolean quick, DemoFleet fleet, Browser browser)
            throws InterruptedException {
        int seconds = quick ? 20 : 600;
        report.progress(
                "%,d hosts, %d changes a second, for %d s"
                        .formatted(HOSTS, BEATS * 1_000 / BEAT_MILLIS, seconds));
        var stopped = new AtomicBoolean();
        Thread beating = Thread.ofVirtual().start(() -> beat(fleet, stopped));
        firstRows(report, fleet, browser);
        Page page = page(fleet, browser);
        openHosts(page, fleet);

        MainThread thread = new MainThread(page);
        page.waitForTimeout(5_000);
        double heapBefore = thread.heapMegabytes();
        double busyBefore = thread.busySeconds();
        long begun = System.nanoTime();
        page.waitForTimeout(seconds * 1_000.0);
        double elapsed = (System.nanoTime() - begun) / 1e9;
        double share = (thread.busySeconds() - busyBefore) / elapsed;
        double grown = thread.heapMegabytes() - heapBefore;
        double visible = changeVisible(page, fleet);
        stopped.set(true);
        beating.join();
        page.context().close();

        report.add(Figure.alone("ui.main_thread_share", share, "cores", Goal.atMost(0.15)));
        report.add(Figure.alone("ui.change_visible_ms", visible, "ms", Goal.atMost(500)));
        report.add(Figure.alone("ui.heap_growth_mb", grown, "MB", Goal.atMost(5)));
    }

    /**
     * The first visitor of a process that has just started waits for its classes too; those after
     * it, each with an empty cache, are what a hub that runs for weeks is like.
     */
    private static void firstRows(BenchmarkReport report, DemoFleet fleet, Browser browser) {
        List<Double> times = new ArrayList<>();
        for (int visit = 0; visit < 6; visit++) {
            Page page = page(fleet, browser);
            openHosts(page, fleet);
            Object mark = page.evaluate("performance.getEntriesByName('first-rows')[0].startTime");
            times.add(((Number) mark).doubleValue());
            page.context().close();
        }
        report.add(
                Figure.alone(
                        "ui.first_rows_cold_server_ms", times.removeFirst(), "ms", Goal.none()));
        report.add(Figure.alone("ui.first_rows_ms", median(times), "ms", Goal.atMost(1_000)));
    }

    private static void openHosts(Page page, DemoFleet fleet) {
        page.navigate(fleet.url() + "/hosts");
        page.locator("tbody tr .name").first().waitFor();
    }

    /** From a host's change in the process to its count on the page, while all the others beat. */
    private static double changeVisible(Page page, DemoFleet fleet) {
        List<Double> times = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            Object before = page.evaluate(ONLINE);
            long begun = System.nanoTime();
            fleet.set(fleet.host(1), i % 2 == 0 ? "offline" : "online");
            page.waitForFunction("before => (" + ONLINE + ")() !== before", before);
            times.add((System.nanoTime() - begun) / 1e6);
        }
        return median(times);
    }

    private static double median(List<Double> times) {
        Collections.sort(times);
        return times.get(times.size() / 2);
    }

    private static void beat(DemoFleet fleet, AtomicBoolean stopped) {
        try {
            while (!stopped.get()) {
                fleet.beat(BEATS);
                TimeUnit.MILLISECONDS.sleep(BEAT_MILLIS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void longLog(
            BenchmarkReport report, boolean quick, DemoFleet fleet, Browser browser) {
        int lines = quick ? 100_000 : 1_000_000;
        report.progress("a log of %,d lines".formatted(lines));
        Agent agent = fleet.agents().getFirst();
        SessionKey session = fleet.sessionOf(agent);
        for (int written = 0; written < lines; written += 10_000) {
            fleet.say(agent, session, block(written));
        }
        Page page = page(fleet, browser);
        page.navigate(
                "%s/sessions/%s/%s/%d"
                        .formatted(fleet.url(), session.agent(), session.run(), session.session()));
        page.locator(".line").last().waitFor();
        page.waitForFunction(
                "() => { const box = document.querySelector('.log'); return box.scrollTop > 2000 && box.scrollTop + box.clientHeight > box.scrollHeight - 40; }");
        List<Double> times = new ArrayList<>();
        for (int i = 0; i < (quick ? 20 : 60); i++) {
            String first = firstLine(page);
            long begun = System.nanoTime();
            page.evaluate("document.querySelector('.log').scrollTop = 0");
            page.waitForFunction(
                    "first => document.querySelector('.log').scrollTop > 2000 && document.querySelector('.line .at').href !== first",
                    first);
            times.add((System.nanoTime() - begun) / 1e6);
        }
        report.add(Figure.alone("ui.log_older_page_ms", median(times), "ms", Goal.atMost(250)));
        page.context().close();
    }

    private static String firstLine(Page page) {
        return (String) page.evaluate("document.querySelector('.line .at').href");
    }

    private static List<DemoTurn.Said> block(int from) {
        List<DemoTurn.Said> lines = new ArrayList<>();
        for (int i = from; i < from + 10_000; i++) {
            lines.add(
                    new DemoTurn.Said(
                            LogEntry.Role.USER,
                            LogEntry.Source.SHELL,
                            LogEntry.Type.OUTPUT,
                            "line %d of a long log, with some words to fill it".formatted(i)));
        }
        return lines;
    }

    private static Page page(DemoFleet fleet, Browser browser) {
        BrowserContext context = browser.newContext();
        context.addCookies(List.of(new Cookie(fleet.sessionCookie(), "admin").setUrl(fleet.url())));
        return context.newPage();
    }
}
