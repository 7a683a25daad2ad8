package dev.skep.cli.command;

import dev.skep.cli.profile.Profile;
import dev.skep.kernel.error.ExitStatus;
import dev.skep.transport.route.Json;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The hubs that one is signed in to from this machine. */
@Command(
        name = "profiles",
        mixinStandardHelpOptions = true,
        description = "Lists the hubs that 'skep login' signed in to, without their secrets.")
public final class ProfilesCommand implements Callable<Integer> {
    private final CommandContext context;

    @Option(names = "--json", description = "Prints JSON.")
    private boolean json;

    public ProfilesCommand(CommandContext context) {
        this.context = context;
    }

    @Override
    public Integer call() {
        List<Profile> all = context.profiles().all();
        if (json) {
            context.out()
                    .println(
                            Json.text(
                                    Map.of(
                                            "profiles",
                                            all.stream().map(ProfilesCommand::shown).toList())));
            return ExitStatus.OK.status();
        }
        TextTable table = new TextTable("NAME", "URL", "ORG", "USER", "WITH");
        all.forEach(
                each ->
                        table.row(
                                each.name(),
                                each.url(),
                                each.org(),
                                each.username(),
                                each.isSession() ? "a sign-in" : "an API key"));
        table.print(context.out());
        return ExitStatus.OK.status();
    }

    static Map<String, String> shown(Profile profile) {
        Map<String, String> shown = new LinkedHashMap<>();
        shown.put("name", profile.name());
        shown.put("url", profile.url());
        shown.put("org", profile.org());
        shown.put("username", profile.username());
        shown.put("way", profile.way());
        return shown;
    }
}
