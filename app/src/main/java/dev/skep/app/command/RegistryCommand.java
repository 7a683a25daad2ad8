package dev.skep.app.command;

import dev.skep.app.assembly.RegistryService;
import dev.skep.cli.command.CommandContext;
import dev.skep.cli.command.SettingFlags;
import dev.skep.cli.config.Configuration;
import dev.skep.cli.config.ProcessPart;
import dev.skep.cli.config.RegistryConfig;
import dev.skep.cli.config.Setting;
import dev.skep.kernel.error.ErrorCode;
import dev.skep.kernel.error.SkepException;
import dev.skep.registry.module.RegistryOptions;
import java.util.EnumSet;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Runs the node registry alone until it is stopped. */
@Command(
        name = "registry",
        mixinStandardHelpOptions = true,
        description =
                "Runs the node registry: the live agent processes, those that are gone, and a proxy to each.",
        footer = "%nClients show the token in HYPI_TOKEN; without one only this machine gets in.")
final class RegistryCommand implements Callable<Integer> {
    private final CommandContext context;
    @Mixin private SettingFlags flags = new SettingFlags(EnumSet.of(ProcessPart.REGISTRY));

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
            names = "--no-persist",
            description = "Store nothing, not even a log file: every start begins empty.")
    private boolean noPersist;

    RegistryCommand(CommandContext context) {
        this.context = context;
    }

    @Override
    public Integer call() throws InterruptedException {
        ProcessPart.refuseIdle(EnumSet.of(ProcessPart.REGISTRY), flags.given());
        if (noPersist && flags.given().containsKey(Setting.HUB_URLS)) {
            throw wrong(
                    "--hub-urls does nothing with --no-persist: what keeps nothing would be another host at every start");
        }
        Configuration configuration = context.configuration(flags);
        RegistryOptions options = options(configuration.registry());
        return ServiceCommand.run(
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
        return configured.options().at(address, listensAt);
    }

    private static SkepException wrong(String message) {
        return new SkepException(ErrorCode.BAD_CONFIGURATION, message);
    }
}
