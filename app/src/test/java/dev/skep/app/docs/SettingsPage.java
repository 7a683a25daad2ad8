package dev.skep.app.docs;

import dev.skep.cli.config.Configuration;
import dev.skep.cli.config.Setting;
import dev.skep.cli.config.SettingSources;
import dev.skep.cli.config.SettingValue;
import java.nio.file.Path;
import java.util.Map;

/** Every setting with its names, its flag and what holds when nobody says anything. */
final class SettingsPage {
    private static final Path HOME = Path.of("/home/you");

    private SettingsPage() {}

    static String write() {
        Markdown page = new Markdown("");
        page.block("# Settings");
        page.block(
                """
                A flag overrides the environment, which overrides `.env` in the data dir, which overrides the default. If a setting has two names, both work and
                the first wins. Secrets have no flag, because every user of a machine can read a process's arguments. `skep config` shows the values in
                force and where each came from, secrets masked. Problems are reported before anything is opened, one line each.""");
        page.head("name", "flag", "default", "meaning");
        Configuration.read(new SettingSources(Map.of(), Map.of(), HOME, HOME), () -> "machine")
                .inForce()
                .forEach(value -> row(page, value));
        page.line("");
        page.line(
                "Only in the environment, for the launcher: `JAVA_HOME` (a JDK 25 to prefer), `SKEP_JAVA_OPTS` (more flags for the JVM), `SKEP_AOT=off` (neither use nor make AOT caches). `NO_COLOR` switches colours off.");
        return page.toString();
    }

    private static void row(Markdown page, SettingValue value) {
        Setting setting = value.setting();
        String names = "`" + String.join("`, `", setting.names()) + "`";
        String flag =
                setting.flag().isEmpty()
                        ? ""
                        : "`%s %s`".formatted(setting.flag(), setting.takes());
        page.row(names, flag, otherwise(value), setting.meaning());
    }

    private static String otherwise(SettingValue value) {
        if (value.setting() == Setting.HOSTNAME) {
            return "the machine's name";
        }
        String text = value.text().replace(HOME.toString(), "~");
        return text.isEmpty() ? "none" : "`" + text + "`";
    }
}
