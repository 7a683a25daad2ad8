package dev.skep.cli.command;

import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The tenants of this hub. */
@Command(
        name = "orgs",
        mixinStandardHelpOptions = true,
        description = "Lists and adds orgs; nothing crosses from one to another.")
public final class OrgsCommand extends ListCommand {
    public OrgsCommand(CommandContext context) {
        super(context);
    }

    @Override
    @Command(name = "list", mixinStandardHelpOptions = true, description = "Lists them.")
    int list(@Mixin AdminFlags flags) {
        return flags.ask(
                context,
                api ->
                        flags.list(
                                context, api.get("/api/orgs"), "orgs", "id", "name", "createdAt"));
    }

    @Command(name = "add", mixinStandardHelpOptions = true, description = "Adds one.")
    int add(
            @Mixin AdminFlags flags,
            @Parameters(paramLabel = "ID", description = "A short word; it cannot be changed.")
                    String id,
            @Option(
                            names = "--name",
                            paramLabel = "TEXT",
                            defaultValue = "",
                            description = "The name people see (default: the id).")
                    String name) {
        Map<String, String> org = Map.of("id", id, "name", name.isEmpty() ? id : name);
        return flags.ask(
                context,
                api ->
                        flags.say(
                                context,
                                api.post("/api/orgs", org),
                                "added %s; next: skep operators add NAME --role admin --org %s"
                                        .formatted(id, id)));
    }
}
