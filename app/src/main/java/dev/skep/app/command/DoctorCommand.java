package dev.skep.app.command;

import dev.skep.app.doctor.Doctor;
import dev.skep.app.doctor.Finding;
import dev.skep.cli.command.CommandContext;
import dev.skep.cli.command.SettingFlags;
import dev.skep.cli.config.Configuration;
import dev.skep.kernel.error.ExitStatus;
import dev.skep.kernel.error.SkepException;
import dev.skep.transport.route.Json;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Reports what is wrong here, and how to fix it. */
@Command(
        name = "doctor",
        mixinStandardHelpOptions = true,
        description = {
            "Checks Java, the data dir, ports, databases, disk, keys, models, hubs, clocks and shells.",
            "Changes nothing; works beside a running process. Exits with 1 if there is a problem."
        })
final class DoctorCommand implements Callable<Integer> {
    private final CommandContext context;
    @Mixin private SettingFlags flags = new SettingFlags();

    @Option(names = "--json", description = "Print JSON.")
    private boolean json;

    DoctorCommand(CommandContext context) {
        this.context = context;
    }

    @Override
    public Integer call() {
        List<Finding> found = look(json ? _ -> {} : this::print);
        boolean sound = found.stream().noneMatch(f -> f.level() == Finding.Level.PROBLEM);
        if (json) {
            context.out().println(Json.text(Map.of("sound", sound, "findings", rows(found))));
        }
        return (sound ? ExitStatus.OK : ExitStatus.FAILURE).status();
    }

    private List<Finding> look(Consumer<Finding> onFinding) {
        Configuration configuration;
        try {
            configuration = context.configuration(flags);
        } catch (SkepException wrong) {
            List<Finding> found = Doctor.ofBadConfiguration(wrong);
            found.forEach(onFinding);
            return found;
        }
        return new Doctor(configuration, context.clock()).checkAll(onFinding);
    }

    private void print(Finding finding) {
        context.out().printf("%-8s %-14s %s%n", finding.level(), finding.check(), finding.line());
        context.out().flush();
    }

    private static List<Map<String, String>> rows(List<Finding> found) {
        return found.stream()
                .map(
                        f ->
                                Map.of(
                                        "check", f.check(),
                                        "level", f.level().toString(),
                                        "says", f.says(),
                                        "fix", f.fix()))
                .toList();
    }
}
