package dev.skep.benchmark.ui;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.microsoft.playwright.CDPSession;
import com.microsoft.playwright.Page;

/** A page's main thread, as the browser measures it: its own processor time, not the clock's. */
final class MainThread {
    private final CDPSession session;

    MainThread(Page page) {
        session = page.context().newCDPSession(page);
        JsonObject domain = new JsonObject();
        domain.addProperty("timeDomain", "threadTicks");
        session.send("Performance.enable", domain);
        session.send("HeapProfiler.enable");
    }

    /** Seconds its tasks have taken so far. */
    double busySeconds() {
        return metric("TaskDuration");
    }

    /** Megabytes of JavaScript objects that are in use. */
    double heapMegabytes() {
        session.send("HeapProfiler.collectGarbage");
        return metric("JSHeapUsedSize") / (1 << 20);
    }

    private double metric(String name) {
        for (JsonElement metric :
                session.send("Performance.getMetrics").getAsJsonArray("metrics")) {
            JsonObject pair = metric.getAsJsonObject();
            if (pair.get("name").getAsString().equals(name)) {
                return pair.get("value").getAsDouble();
            }
        }
        throw new IllegalStateException("the browser reports no " + name);
    }
}
