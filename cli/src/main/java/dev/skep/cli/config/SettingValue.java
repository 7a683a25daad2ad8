package dev.skep.cli.config;

/** The text in force for a setting and where it came from. */
public record SettingValue(Setting setting, String text, SettingOrigin origin) {
    public boolean isDefault() {
        return origin instanceof SettingOrigin.Default;
    }

    /** Fit to be printed: secrets are masked, also the password inside a database URL. */
    public String shown() {
        if (text.isEmpty()) {
            return "(not set)";
        }
        return setting.isSecret() ? SecretValue.MASK : withoutPassword(text);
    }

    /** Starts a problem's line: the setting, by the name the user wrote, and the place. */
    public String named() {
        return switch (origin) {
            case SettingOrigin.Flag(String name) -> name;
            case SettingOrigin.Environment(String name) -> name;
            case SettingOrigin.EnvFile(var file, int line, String name) ->
                    name + " (" + file + " line " + line + ")";
            case SettingOrigin.Default() -> setting.ownName();
        };
    }

    static String withoutPassword(String url) {
        return url.replaceFirst("(://[^:/@]*):.*@", "$1:" + SecretValue.MASK + "@");
    }

    @Override
    public String toString() {
        return setting + "=" + shown() + " from " + origin;
    }
}
