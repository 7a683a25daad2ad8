package dev.skep.fleet.launcher;

import java.util.List;

/** What a finished process said and how it ended. */
record Ran(int status, String out, String err) {
    List<String> errorLines() {
        return err.lines().toList();
    }
}
