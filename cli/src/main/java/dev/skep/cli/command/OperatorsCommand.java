package dev.skep.cli.command;

import dev.skep.cli.admin.AdminApi;
import dev.skep.cli.profile.Profile;
import dev.skep.kernel.error.ErrorCode;
import dev.skep.kernel.error.ExitStatus;
import dev.skep.kernel.error.SkepException;
import dev.skep.transport.client.ApiClient;
import dev.skep.transport.client.ApiClient.Answer;
import dev.skep.transport.route.HttpMethod;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
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
                                "hasSecondFactor",
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
            name = "password",
            mixinStandardHelpOptions = true,
            description = {
                "Sets an operator's password, which ends their sign-ins; at a hub that --hub names"
                        + " only one's own.",
                "It is typed, is a line of standard input, or stands in SKEP_PASSWORD; with --hub"
                        + " the current one comes first, or stands in SKEP_CURRENT_PASSWORD."
            })
    int password(@Mixin AdminFlags flags, @Parameters(paramLabel = "NAME") String name) {
        return flags.ask(
                context,
                api ->
                        context.remote().isPresent()
                                ? ownPassword(api, name)
                                : flags.say(
                                        context,
                                        api.call(
                                                HttpMethod.PUT,
                                                flags.path("operators", name, "password"),
                                                Map.of(
                                                        "next",
                                                        new SecretInput(context)
                                                                .read(
                                                                        "SKEP_PASSWORD",
                                                                        "new password"))),
                                        name + " has a new password"));
    }

    /** Ends all sign-ins but a new one of this machine, which the profile then has. */
    private int ownPassword(AdminApi api, String name) {
        Profile profile = context.remote().orElseThrow();
        if (!profile.isSession() || !name.equals(profile.username())) {
            throw new SkepException(
                    ErrorCode.FORBIDDEN,
                    "only the hub's own machine sets somebody else's password; give them a link"
                            + " with: skep operators reset "
                            + name);
        }
        SecretInput input = new SecretInput(context);
        Map<String, Object> change = new HashMap<>();
        if (api.get("/api/session").fields().flag("hasPassword")) {
            change.put("current", input.read("SKEP_CURRENT_PASSWORD", "current password"));
        }
        change.put("next", input.read("SKEP_PASSWORD", "new password"));
        change.put("client", "skep login");
        change.put("bearer", true);
        Answer answer = api.call(HttpMethod.PUT, "/api/session/password", change);
        context.profiles()
                .write(
                        new Profile(
                                profile.name(),
                                profile.url(),
                                profile.org(),
                                profile.username(),
                                Profile.SESSION,
                                answer.fields().text("session")));
        context.out().println(name + " has a new password");
        return ExitStatus.OK.status();
    }

    @Command(
            name = "reset-second-factor",
            mixinStandardHelpOptions = true,
            description = "Removes the second factor of somebody who lost app and recovery codes.")
    int resetSecondFactor(@Mixin AdminFlags flags, @Parameters(paramLabel = "NAME") String name) {
        return flags.ask(
                context,
                api ->
                        flags.say(
                                context,
                                api.delete(flags.path("operators", name, "second-factor")),
                                name + " has no second factor now"));
    }

    @Command(
            name = "sign-ins",
            mixinStandardHelpOptions = true,
            description = "Lists where an operator is signed in, or ends one of these sign-ins.")
    int signIns(
            @Mixin AdminFlags flags,
            @Parameters(paramLabel = "NAME") String name,
            @Option(names = "--end", paramLabel = "ID", description = "Ends this one.")
                    Optional<String> end) {
        return flags.ask(
                context,
                api ->
                        end.isPresent()
                                ? flags.say(
                                        context,
                                        api.delete(
                                                flags.path(
                                                        "operators", name, "sign-ins", end.get())),
                                        end.get() + " is ended")
                                : flags.list(
                                        context,
                                        api.get(flags.path("operators", name, "sign-ins")),
                                        "signIns",
                                        "id",
                                        "client",
                                        "address",
                                        "createdAt",
                                        "usedAt"));
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
