package dev.skep.app.config;

/** The text in force for a setting and where it came from. */
public record SettingValue(Setting setting, String text, Origin origin) {
    public boolean isDefault() {
        return origin instanceof Origin.Default;
    }

    /** Fit to be printed: secrets are masked, also the password inside a database URL. */
    public String shown() {
        if (text.isEmpty()) {
            return "(not set)";
        }
        return setting.isSecret() ? Secret.MASK : withoutPassword(text);
    }

    /** Starts a problem's line: the setting, by the name the user wrote, and the place. */
    public String named() {
        return switch (origin) {
            case Origin.Flag(String name) -> name;
            case Origin.Environment(String name) -> name;
            case Origin.EnvFile(var file, int line, String name) ->
                    name + " (" + file + " line " + line + ")";
            case Origin.Default() -> setting.ownName();
        };
    }

    static String withoutPassword(String url) {
        return url.replaceFirst("(://[^:/@]*):.*@", "$1:" + Secret.MASK + "@");
    }

    @Override
    public String toString() {
        return setting + "=" + shown() + " from " + origin;
    }
}
