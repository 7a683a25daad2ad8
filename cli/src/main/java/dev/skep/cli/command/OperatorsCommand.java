package dev.skep.cli.command;

import dev.skep.cli.admin.AdminApi;
import dev.skep.transport.client.ApiClient;
import dev.skep.transport.client.ApiClient.Answer;
import dev.skep.transport.route.HttpMethod;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The people who may sign in. */
@Command(
        name = "operators",
        mixinStandardHelpOptions = true,
        description = "Lists, adds and changes the people who may sign in.")
public final class OperatorsCommand extends ListCommand {
    public OperatorsCommand(CommandContext context) {
        super(context);
    }

    @Override
    @Command(name = "list", mixinStandardHelpOptions = true, description = "Lists them.")
    int list(@Mixin AdminFlags flags) {
        return flags.ask(
                context,
                api ->
                        flags.list(
                                context,
                                api.get(flags.path("operators")),
                                "operators",
                                "username",
                                "role",
                                "hasPassword",
                                "signedInAt",
                                "disabledAt"));
    }

    @Command(
            name = "add",
            mixinStandardHelpOptions = true,
            description = "Adds an operator and prints a sign-in link that works once.")
    int add(
            @Mixin AdminFlags flags,
            @Parameters(paramLabel = "NAME") String name,
            @Option(
                            names = "--role",
                            paramLabel = "ROLE",
                            defaultValue = "viewer",
                            description = "viewer, operator or admin (default: viewer).")
                    String role) {
        return flags.ask(
                context,
                api ->
                        link(
                                flags,
                                api,
                                api.post(
                                        flags.path("operators"),
                                        Map.of("username", name, "role", role))));
    }

    @Command(name = "role", mixinStandardHelpOptions = true, description = "Changes the role.")
    int role(
            @Mixin AdminFlags flags,
            @Parameters(paramLabel = "NAME") String name,
            @Parameters(paramLabel = "ROLE") String role) {
        return change(flags, name, Map.of("role", role), name + " is now " + role);
    }

    @Command(
            name = "disable",
            mixinStandardHelpOptions = true,
            description = "Ends an operator's sessions and refuses further sign-ins.")
    int disable(@Mixin AdminFlags flags, @Parameters(paramLabel = "NAME") String name) {
        return change(flags, name, Map.of("disabled", true), name + " is disabled");
    }

    @Command(
            name = "enable",
            mixinStandardHelpOptions = true,
            description = "Lets a disabled operator sign in again.")
    int enable(@Mixin AdminFlags flags, @Parameters(paramLabel = "NAME") String name) {
        return change(flags, name, Map.of("disabled", false), name + " is enabled");
    }

    @Command(
            name = "reset",
            mixinStandardHelpOptions = true,
            description = "Removes the password and prints a new sign-in link.")
    int reset(@Mixin AdminFlags flags, @Parameters(paramLabel = "NAME") String name) {
        return flags.ask(context, api -> link(flags, api, post(flags, api, name, "reset")));
    }

    @Command(
            name = "sign-in-link",
            mixinStandardHelpOptions = true,
            description = "Prints a sign-in link that works once, within the hour.")
    int signInLink(@Mixin AdminFlags flags, @Parameters(paramLabel = "NAME") String name) {
        return flags.ask(context, api -> link(flags, api, post(flags, api, name, "sign-in-link")));
    }

    private static Answer post(AdminFlags flags, ApiClient api, String name, String what) {
        return api.post(flags.path("operators", name, what), Map.of());
    }

    private int change(AdminFlags flags, String name, Map<String, ?> change, String message) {
        return flags.ask(
                context,
                api ->
                        flags.say(
                                context,
                                api.call(HttpMethod.PATCH, flags.path("operators", name), change),
                                message));
    }

    private int link(AdminFlags flags, AdminApi api, Answer answer) {
        return flags.say(context, answer, api.publicUrl() + answer.fields().text("signInPath"));
    }
}
