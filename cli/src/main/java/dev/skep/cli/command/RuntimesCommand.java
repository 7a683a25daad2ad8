package dev.skep.cli.command;

import dev.skep.cli.config.Configuration;
import dev.skep.transport.route.JsonFields;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Lists the runtimes that agents can use, and signs agents in to them. */
@Command(
        name = "runtimes",
        mixinStandardHelpOptions = true,
        description = "Lists the runtimes that agents can use, and signs agents in to them.")
public final class RuntimesCommand implements Callable<Integer> {
    private final CommandContext context;
    private final SignIn signIn;
    @Mixin private RunnerCall call = new RunnerCall();

    /** The sign-in of a runtime, at this process's terminal. */
    @FunctionalInterface
    public interface SignIn {
        /** Runs it to its end and answers its status. */
        int run(Configuration configuration, String runtime, String agent);
    }

    public RuntimesCommand(CommandContext context, SignIn signIn) {
        this.context = context;
        this.signIn = signIn;
    }

    @Override
    public Integer call() {
        return list(call);
    }

    @Command(
            name = "list",
            mixinStandardHelpOptions = true,
            description = "Lists what is installed on this host, and how to get the rest.")
    int list(@Mixin RunnerCall own) {
        return own.list(
                context,
                "/api/runner/runtimes",
                "runtimes",
                new TextTable("RUNTIME", "VERSION", "WIRE", "CAN", "PROGRAM"),
                runtime ->
                        new Object[] {
                            runtime.shown("name"),
                            runtime.shown("installed").equals("true")
                                    ? runtime.optionalText("version").orElse("unknown")
                                    : "-",
                            runtime.shown("wire"),
                            abilities(runtime),
                            runtime.optionalText("path").orElseGet(() -> runtime.shown("missing"))
                        });
    }

    private static String abilities(JsonFields runtime) {
        List<String> words = new ArrayList<>();
        for (String each : List.of("metered", "asks", "resumes")) {
            if (runtime.shown(each).equals("true")) {
                words.add(each);
            }
        }
        return words.isEmpty() ? "-" : String.join(", ", words);
    }

    @Command(
            name = "login",
            mixinStandardHelpOptions = true,
            description = {
                "Runs the runtime's own sign-in for an agent with auth: login, at this terminal.",
                "The sign-in is kept in that agent's home and is not copied with the agent."
            })
    int login(
            @Parameters(paramLabel = "RUNTIME") String runtime,
            @Option(
                            names = "--agent",
                            paramLabel = "AGENT",
                            required = true,
                            description = "The agent that is to be signed in.")
                    String agent,
            @Mixin RunnerCall own) {
        return signIn.run(own.configuration(context), runtime, agent);
    }
}
