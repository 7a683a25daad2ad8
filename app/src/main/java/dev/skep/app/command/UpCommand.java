package dev.skep.app.command;

import dev.skep.app.assembly.Assembly;
import dev.skep.app.config.Configuration;
import dev.skep.kernel.error.Exit;
import dev.skep.kernel.lifecycle.Lifecycle;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Runs the whole product on this machine until it is told to stop. */
@Command(
        name = "up",
        mixinStandardHelpOptions = true,
        description = "Runs a runner, a hub and the supervisor on this machine.")
final class UpCommand implements Callable<Integer> {
    private final CommandContext context;
    @Mixin private SettingFlags flags = new SettingFlags();

    UpCommand(CommandContext context) {
        this.context = context;
    }

    @Override
    public Integer call() throws InterruptedException {
        Configuration configuration = context.configuration(flags);
        var lifecycle = new Lifecycle();
        List<String> opened = new Assembly(configuration, lifecycle).up();
        context.err().println(Skep.Version.line() + " is up; Ctrl-C stops it");
        opened.forEach(line -> context.err().println("  " + line));
        closeOnSignal(lifecycle);
        lifecycle.awaitClose();
        return Exit.OK.status();
    }

    /**
     * Closes on SIGTERM and SIGINT. The JVM would report the signal (143, 130) even after a clean
     * close, which service managers take for a failure, hence the halt with our own status.
     */
    private void closeOnSignal(Lifecycle lifecycle) {
        Runnable closing =
                () -> {
                    lifecycle.close();
                    List<String> left = lifecycle.unfinished();
                    if (!left.isEmpty()) {
                        context.err().println("skep: did not close in time: " + left);
                    }
                    context.err().flush();
                    Exit exit = left.isEmpty() ? Exit.OK : Exit.FAILURE;
                    Runtime.getRuntime().halt(exit.status());
                };
        Runtime.getRuntime().addShutdownHook(new Thread(closing, "shutdown"));
    }
}
