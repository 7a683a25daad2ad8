package dev.skep.simulation;

import java.io.PrintWriter;
import java.io.StringWriter;
import picocli.CommandLine;

/** {@code ./skep simulate} in this process. */
record Runs(int status, String out, String err) {
    static Runs simulate(String... args) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        int status =
                new CommandLine(new SimulationMain())
                        .setOut(new PrintWriter(out))
                        .setErr(new PrintWriter(err))
                        .execute(args);
        return new Runs(status, out.toString(), err.toString());
    }
}
