package dev.skep.benchmark.dispatch;

import dev.skep.benchmark.Scratch;
import dev.skep.kernel.identity.Principal;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * One engine in a process of its own, as a hub has it: with two in one, what was compiled for the
 * first is compiled again when the second begins. It reads how many jobs to do and prints how many
 * it did per second, until its input ends.
 */
final class EngineProcess implements AutoCloseable {
    private final Engine engine;
    private final Process process;
    private final BufferedReader answers;

    EngineProcess(Engine engine) throws IOException {
        this.engine = engine;
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(ManagementFactory.getRuntimeMXBean().getInputArguments());
        command.addAll(List.of("-cp", System.getProperty("java.class.path")));
        command.addAll(List.of(EngineProcess.class.getName(), engine.name()));
        this.process =
                new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
        this.answers = reader(process.getInputStream());
    }

    /** Claims and completes so many jobs, after others that are not counted. */
    double jobsPerSecond(int warm, int jobs) throws IOException {
        process.outputWriter().write("%d %d%n".formatted(warm, jobs));
        process.outputWriter().flush();
        String answer = answers.readLine();
        if (answer == null) {
            throw new IOException("the process of %s ended".formatted(engine));
        }
        return Double.parseDouble(answer);
    }

    public static void main(String[] arguments) throws Exception {
        Engine engine = Engine.valueOf(arguments[0]);
        BufferedReader input = reader(System.in);
        for (String line = input.readLine(); line != null; line = input.readLine()) {
            String[] words = line.split(" ", -1);
            System.out.println(
                    measure(engine, Integer.parseInt(words[0]), Integer.parseInt(words[1])));
        }
    }

    private static double measure(Engine engine, int warm, int jobs) throws Exception {
        try (Scratch scratch = new Scratch();
                BenchmarkHub hub = engine.open(scratch.folder())) {
            List<Principal.Host> hosts = hub.admit(BenchmarkHub.ORG, "h", DispatchBenchmark.HOSTS);
            hub.create(hosts, warm + jobs);
            hub.work(hosts, DispatchBenchmark.CLAIMERS, warm);
            return hub.work(hosts, DispatchBenchmark.CLAIMERS, jobs);
        }
    }

    private static BufferedReader reader(InputStream in) {
        return new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8));
    }

    /** It ends by itself when nothing more is to come. */
    @Override
    public void close() throws IOException {
        process.outputWriter().close();
        try {
            if (!process.waitFor(30, TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }
}
