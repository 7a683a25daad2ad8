package dev.skep.cli.command;

import dev.skep.cli.config.ProcessPart;
import dev.skep.cli.config.Setting;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * The flags that set what .env and the environment can set too. Those without effect on the command
 * are parsed too, so that its error can name what they are for, and are not in its help.
 */
public final class SettingFlags extends DataDirFlag {
    private final Set<ProcessPart> parts;

    /** For a command that all settings are for. */
    public SettingFlags() {
        this(EnumSet.allOf(ProcessPart.class));
    }

    public SettingFlags(Set<ProcessPart> parts) {
        this.parts = Set.copyOf(parts);
    }

    @Override
    boolean isShown(Setting setting) {
        return parts.stream().anyMatch(part -> part.heeds(setting));
    }

    @Override
    List<Setting> offered() {
        return Arrays.stream(Setting.values())
                .filter(setting -> !setting.flag().isEmpty())
                .toList();
    }

    /** The older registry had a short one. */
    @Override
    String[] names(Setting setting) {
        return setting == Setting.NODE_TTL && parts.equals(Set.of(ProcessPart.REGISTRY))
                ? new String[] {"-t", setting.flag()}
                : super.names(setting);
    }
}
