package dev.skep.app.command;

import dev.skep.app.config.Configuration;
import dev.skep.app.config.SettingValue;
import dev.skep.kernel.error.Exit;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Shows what is in force and where each value came from; secrets stay masked. */
@Command(
        name = "config",
        mixinStandardHelpOptions = true,
        description = "Shows every setting in force and where it came from.")
final class ConfigCommand implements Callable<Integer> {
    private final CommandContext context;
    @Mixin private SettingFlags flags = new SettingFlags();

    ConfigCommand(CommandContext context) {
        this.context = context;
    }

    @Override
    public Integer call() {
        Configuration configuration = context.configuration(flags);
        List<SettingValue> values = configuration.inForce();
        int nameWidth = width(values.stream().map(value -> value.setting().ownName()).toList());
        int valueWidth = width(values.stream().map(SettingValue::shown).toList());
        String row = "%-" + nameWidth + "s  %-" + valueWidth + "s  %s%n";
        for (SettingValue value : values) {
            context.out().printf(row, value.setting().ownName(), value.shown(), value.origin());
        }
        return Exit.OK.status();
    }

    private static int width(List<String> cells) {
        return cells.stream().mapToInt(String::length).max().orElse(1);
    }
}
