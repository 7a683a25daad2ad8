package dev.skep.browser.demo;

import java.util.Map;

/** A host of the made-up fleet. */
record DemoHost(String id, String name, String status, Map<String, String> labels) {
    boolean isThere() {
        return status.equals("online") || status.equals("degraded");
    }
}
