package dev.skep.cli.command;

import dev.skep.cli.config.ProcessPart;
import dev.skep.cli.config.SettingValue;
import dev.skep.kernel.error.ExitStatus;
import dev.skep.transport.route.Json;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Shows what is in force and where each value came from; secrets stay masked. */
@Command(
        name = "config",
        mixinStandardHelpOptions = true,
        description = "Shows every setting in force and where it came from.")
public final class ConfigCommand implements Callable<Integer> {
    private final CommandContext context;
    @Mixin private SettingFlags flags = new SettingFlags();

    @Option(names = "--json", description = "Print JSON.")
    private boolean json;

    public ConfigCommand(CommandContext context) {
        this.context = context;
    }

    @Override
    public Integer call() {
        List<SettingValue> values = context.configuration(flags).inForce();
        if (json) {
            context.out().println(Json.text(Map.of("settings", rows(values))));
            return ExitStatus.OK.status();
        }
        int nameWidth = width(values.stream().map(value -> value.setting().ownName()).toList());
        int valueWidth = width(values.stream().map(SettingValue::shown).toList());
        String row = "%-" + nameWidth + "s  %-" + valueWidth + "s  %s%n";
        for (SettingValue value : values) {
            context.out().printf(row, value.setting().ownName(), value.shown(), origin(value));
        }
        return ExitStatus.OK.status();
    }

    /** A setting may apply to another process than its author thinks. */
    private static String origin(SettingValue value) {
        return value.isDefault()
                ? value.origin().toString()
                : "%s  for %s".formatted(value.origin(), ProcessPart.heeding(value.setting()));
    }

    private static List<Map<String, String>> rows(List<SettingValue> values) {
        return values.stream()
                .map(
                        value ->
                                Map.of(
                                        "setting", value.setting().ownName(),
                                        "value", value.text().isEmpty() ? "" : value.shown(),
                                        "from", value.origin().toString(),
                                        "for", ProcessPart.heeding(value.setting())))
                .toList();
    }

    private static int width(List<String> cells) {
        return cells.stream().mapToInt(String::length).max().orElse(1);
    }
}
