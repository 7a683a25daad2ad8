package dev.skep.app.command;

import dev.skep.app.assembly.RegistryService;
import dev.skep.app.config.Configuration;
import dev.skep.app.config.RegistryConfig;
import dev.skep.app.config.RegistryOptions;
import dev.skep.kernel.error.ErrorCode;
import dev.skep.kernel.error.SkepException;
import dev.skep.registry.node.Lifetime;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Runs the node registry alone until it is told to stop. */
@Command(
        name = "registry",
        mixinStandardHelpOptions = true,
        description =
                "Runs the node registry: which agents are alive, which were, and a way to each.",
        footer = "%nClients show the token in HYPI_TOKEN; without one only this machine gets in.")
final class RegistryCommand implements Callable<Integer> {
    private static final Pattern TIME = Pattern.compile("([0-9]{1,9})([smhd]?)");

    private final CommandContext context;
    @Mixin private DataDirFlag flags = new DataDirFlag();

    @Option(
            names = {"-p", "--port"},
            paramLabel = "PORT",
            description = "Where clients connect (default: SKEP_REGISTRY_PORT, else 31415).")
    private @Nullable Integer port;

    @Option(
            names = "--bind",
            paramLabel = "ADDRESS",
            description = "Where to listen (default: 127.0.0.1); any other address needs a token.")
    private String address = "127.0.0.1";

    @Option(
            names = {"-t", "--node-ttl"},
            paramLabel = "SECONDS",
            description =
                    "A node silent for three times this is offline (default: ${DEFAULT-VALUE}).")
    private long ttl = Lifetime.USUAL.ttl().toSeconds();

    @Option(
            names = "--retain",
            paramLabel = "DAYS",
            description =
                    "How long offline nodes are remembered: days, or with a unit like 12h; 0 to forget them after the ttl (default: ${DEFAULT-VALUE}).")
    private String retain = Long.toString(Lifetime.USUAL.retain().toDays());

    @Option(names = "--no-persist", description = "Keep nothing: every start is the first.")
    private boolean noPersist;

    @Option(
            names = "--allow-spawn",
            description = "Let clients start agents in folders under your home.")
    private boolean allowSpawn;

    @Option(
            names = "--agent-command",
            paramLabel = "COMMAND",
            split = " ",
            description = "What starts an agent, such as 'pi --quiet' (default: pi).")
    private List<String> agentCommand = List.of("pi");

    @Option(
            names = "--allow-machine",
            paramLabel = "NAME",
            description =
                    "Let nodes say they are on this machine, wherever they connect from; may be repeated.")
    private List<String> machines = List.of();

    @Option(
            names = "--allow-origin",
            paramLabel = "ORIGIN",
            description = "Let web pages of this origin connect; may be repeated.")
    private List<String> origins = List.of();

    RegistryCommand(CommandContext context) {
        this.context = context;
    }

    @Override
    public Integer call() throws InterruptedException {
        Configuration configuration = context.configuration(flags);
        RegistryOptions options = options(configuration.registry());
        return Service.run(
                context,
                lifecycle ->
                        new RegistryService(configuration, options, lifecycle)
                                .start(context.home(), !noPersist, Program.version()));
    }

    private RegistryOptions options(RegistryConfig configured) {
        // "none" is for processes that have another listener; this one has no other.
        int listensAt = port == null ? configured.port().orElse(RegistryOptions.PORT) : port;
        if (listensAt < 0 || listensAt > 65_535) {
            throw wrong("--port is %d; use a port up to 65535".formatted(listensAt));
        }
        if (ttl < 1) {
            throw wrong("--node-ttl is %d; use at least one second".formatted(ttl));
        }
        return new RegistryOptions(
                address,
                listensAt,
                new Lifetime(Duration.ofSeconds(ttl), time(retain)),
                Set.copyOf(machines),
                Set.copyOf(origins),
                allowSpawn,
                agentCommand);
    }

    private static Duration time(String text) {
        Matcher parts = TIME.matcher(text);
        if (!parts.matches()) {
            throw wrong("--retain is \"%s\"; write days, or 90s, 15m, 12h, 30d".formatted(text));
        }
        long count = Long.parseLong(parts.group(1));
        return switch (parts.group(2)) {
            case "s" -> Duration.ofSeconds(count);
            case "m" -> Duration.ofMinutes(count);
            case "h" -> Duration.ofHours(count);
            default -> Duration.ofDays(Math.min(count, 100_000));
        };
    }

    private static SkepException wrong(String message) {
        return new SkepException(ErrorCode.BAD_CONFIGURATION, message);
    }
}
