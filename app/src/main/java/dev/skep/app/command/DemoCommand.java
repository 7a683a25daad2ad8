package dev.skep.app.command;

import dev.skep.app.demo.Demo;
import dev.skep.cli.command.CommandContext;
import dev.skep.kernel.error.ErrorCode;
import dev.skep.kernel.error.SkepException;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Shows the whole product at work on this machine. */
@Command(
        name = "demo",
        mixinStandardHelpOptions = true,
        description = {
            "Runs a hub and three hosts with agents, jobs, servers and nodes to look at.",
            "It needs no key and no network, and leaves nothing behind."
        })
final class DemoCommand implements Callable<Integer> {
    /** By name: the class itself starts commands, and packages form no cycle. */
    private static final String MAIN = "dev.skep.app.Main";

    private final CommandContext context;

    @Option(
            names = "--port",
            paramLabel = "PORT",
            defaultValue = "0",
            description = "Where the pages are (default: any free port).")
    private int port;

    @Option(
            names = "--soak",
            paramLabel = "MINUTES",
            defaultValue = "0",
            description =
                    "Kill processes at random for this long, then report whether all is well, and end.")
    private int soakMinutes;

    DemoCommand(CommandContext context) {
        this.context = context;
    }

    @Override
    public Integer call() throws InterruptedException {
        if (port < 0 || port > 65_535) {
            throw new SkepException(
                    ErrorCode.BAD_CONFIGURATION,
                    "--port is %d; use a port up to 65535".formatted(port));
        }
        context.err().println("starting a hub and three hosts …");
        var settings = new Demo.Settings(java(), port, soak(), environment());
        return ServiceCommand.run(
                context, lifecycle -> new Demo(lifecycle, settings, this::print).open());
    }

    private Optional<Duration> soak() {
        return soakMinutes > 0 ? Optional.of(Duration.ofMinutes(soakMinutes)) : Optional.empty();
    }

    private void print(String line) {
        LocalTime time =
                LocalTime.ofInstant(context.clock().instant(), ZoneOffset.UTC)
                        .truncatedTo(ChronoUnit.SECONDS);
        context.err().println("%s %s".formatted(time, line));
    }

    /** This very program, with the flags the launcher chose. */
    private static List<String> java() {
        List<String> command = new ArrayList<>();
        command.add(ProcessHandle.current().info().command().orElse("java"));
        command.addAll(ManagementFactory.getRuntimeMXBean().getInputArguments());
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), MAIN));
        return command;
    }

    /** Without the user's configuration, and the processes end with this one. */
    private Map<String, String> environment() {
        Map<String, String> environment = new HashMap<>();
        for (String name : List.of("PATH", "LANG", "TZ", "TMPDIR")) {
            String value = context.environment().get(name);
            if (value != null) {
                environment.put(name, value);
            }
        }
        environment.put(ServiceCommand.PARENT, String.valueOf(ProcessHandle.current().pid()));
        return environment;
    }
}
