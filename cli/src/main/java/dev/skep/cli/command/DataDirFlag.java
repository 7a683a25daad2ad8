package dev.skep.cli.command;

import dev.skep.cli.config.Setting;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.IGetter;
import picocli.CommandLine.Model.ISetter;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Spec;

/**
 * The one flag of commands that ask a running process, or its database when it is stopped. Flags of
 * settings are made from {@link Setting}.
 */
@Command
public class DataDirFlag {
    private final Map<Setting, String> given = new EnumMap<>(Setting.class);
    private final Map<Setting, List<?>> repeated = new EnumMap<>(Setting.class);

    /** The settings this command line may give. */
    List<Setting> offered() {
        return List.of(Setting.DATA_DIR);
    }

    /** Whether the help names it. */
    boolean isShown(Setting setting) {
        return true;
    }

    /** Called by picocli for the command these flags are mixed into. */
    @Spec(Spec.Target.MIXEE)
    final void addTo(CommandSpec command) {
        offered().forEach(setting -> command.addOption(option(setting)));
    }

    private OptionSpec option(Setting setting) {
        String standard = setting.standard();
        return OptionSpec.builder(names(setting))
                .type(setting.mayRepeat() ? List.class : String.class)
                .auxiliaryTypes(String.class)
                .hidden(!isShown(setting))
                .arity(setting.isSwitch() ? "0..1" : "1")
                .fallbackValue(setting.isSwitch() ? "yes" : "")
                .paramLabel(setting.takes().replaceAll("[\\[\\]]", ""))
                .description(
                        setting.meaning()
                                + (standard.isEmpty() ? "" : " Default: " + standard + "."))
                .getter(
                        new IGetter() {
                            @Override
                            @SuppressWarnings({
                                "unchecked",
                                "TypeParameterUnusedInFormals"
                            }) // picocli has it so
                            public <T> @Nullable T get() {
                                return (T) repeated.get(setting);
                            }
                        })
                .setter(
                        new ISetter() {
                            @Override
                            public <T> T set(T value) {
                                if (value instanceof List<?> texts) {
                                    giveAll(setting, texts);
                                } else if (value instanceof String text) {
                                    give(setting, text);
                                }
                                return value;
                            }
                        })
                .build();
    }

    /** What the command line calls it. */
    String[] names(Setting setting) {
        return new String[] {setting.flag()};
    }

    /** Called with all values of a repeated flag so far, at first with none. */
    private void giveAll(Setting setting, List<?> texts) {
        repeated.put(setting, texts);
        if (!texts.isEmpty()) {
            give(setting, texts.stream().map(String::valueOf).collect(Collectors.joining(",")));
        }
    }

    public final void give(Setting setting, String value) {
        given.put(setting, value);
    }

    public final Map<Setting, String> given() {
        return given;
    }
}
