package dev.skep.app.command;

import dev.skep.app.assembly.Assembly;
import dev.skep.app.assembly.Composition;
import dev.skep.cli.command.CommandContext;
import dev.skep.cli.config.Configuration;
import dev.skep.cli.config.ProcessPart;
import dev.skep.cli.config.Setting;
import dev.skep.directory.routes.SignInLink;
import dev.skep.kernel.error.ExitStatus;
import dev.skep.kernel.lifecycle.Lifecycle;
import dev.skep.runner.terminal.Terminal;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

/** A command that runs until SIGTERM or SIGINT and then closes what it opened. */
final class ServiceCommand {
    /** The process this one ends with, if any, also when that is killed. */
    static final String PARENT = "SKEP_PARENT_PID";

    /** Set by systemd where what is printed goes to its journal. */
    private static final String JOURNAL = "JOURNAL_STREAM";

    private final CommandContext context;
    private final Lifecycle lifecycle = new Lifecycle();

    private ServiceCommand(CommandContext context) {
        this.context = context;
    }

    /** Opens, prints what is open, one line each, and waits; a failed opening is thrown on. */
    static int run(CommandContext context, Function<Lifecycle, List<String>> opening)
            throws InterruptedException {
        return new ServiceCommand(context).run(opening, () -> {});
    }

    /** Runs parts of the product. */
    static int run(
            CommandContext context,
            Map<Setting, String> given,
            Composition parts,
            Terminal terminal)
            throws InterruptedException {
        ProcessPart.refuseIdle(parts(parts), given);
        Configuration configuration = context.configuration(given);
        return new ServiceCommand(context)
                .run(
                        lifecycle ->
                                new Assembly(
                                                configuration,
                                                lifecycle,
                                                context.home(),
                                                Program.version())
                                        .open(parts, terminal)
                                        .lines(),
                        terminal.stream()::start);
    }

    private static Set<ProcessPart> parts(Composition composed) {
        Set<ProcessPart> parts = EnumSet.noneOf(ProcessPart.class);
        if (composed.runner()) {
            parts.add(ProcessPart.RUNNER);
        }
        if (composed.hub()) {
            parts.add(ProcessPart.HUB);
        }
        return parts;
    }

    private int run(Function<Lifecycle, List<String>> opening, Runnable announce)
            throws InterruptedException {
        // Before anything is opened, so that a signal during the start closes what is open already.
        var signalled = new Thread(this::closeAndHalt, "shutdown");
        Runtime.getRuntime().addShutdownHook(signalled);
        endWithParent();
        List<String> opened;
        try {
            opened = opening.apply(lifecycle);
        } catch (RuntimeException | Error failure) {
            if (forget(signalled)) {
                throw failure;
            }
            // The signal came during the start: what failed is only that it was being closed.
            lifecycle.awaitClose();
            return ExitStatus.OK.status();
        }
        context.err().println(upAfter(ProcessAge.now(context.clock())));
        opened.forEach(line -> context.err().println("  " + fitting(line)));
        announce.run();
        lifecycle.awaitClose();
        forget(signalled);
        return ExitStatus.OK.status();
    }

    private static String upAfter(Duration age) {
        long tenths = Math.round(age.toMillis() / 100.0);
        return "%s is up after %d.%d s; Ctrl-C stops it"
                .formatted(Program.version(), tenths / 10, tenths % 10);
    }

    /** A journal is kept, and others can read it. */
    private String fitting(String line) {
        return context.environment().containsKey(JOURNAL) && line.contains(SignInLink.path(""))
                ? "sign in with the link of: skep operators sign-in-link admin"
                : line;
    }

    private void endWithParent() {
        String parent = context.environment().get(PARENT);
        if (parent != null) {
            Thread.ofVirtual()
                    .name("parent")
                    .start(
                            () -> {
                                ProcessHandle.of(Long.parseLong(parent))
                                        .ifPresent(process -> process.onExit().join());
                                lifecycle.close();
                            });
        }
    }

    private static boolean forget(Thread hook) {
        try {
            return Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException shuttingDown) {
            return false;
        }
    }

    /**
     * The JVM would report the signal (143, 130) even after a clean close, which service managers
     * take for a failure, hence the halt with our own status.
     */
    private void closeAndHalt() {
        lifecycle.close();
        List<String> left = lifecycle.unfinished();
        if (!left.isEmpty()) {
            context.err().println("skep: did not close in time: " + String.join(", ", left));
        }
        context.err().flush();
        ExitStatus exit = left.isEmpty() ? ExitStatus.OK : ExitStatus.FAILURE;
        Runtime.getRuntime().halt(exit.status());
    }
}
