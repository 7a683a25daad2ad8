package dev.skep.app.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.skep.cli.command.SettingFlags;
import dev.skep.cli.config.Setting;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

class StartingAServiceTest {
    @ParameterizedTest
    @EnumSource(Setting.class)
    void every_flag_is_read_as_picocli_reads_it(Setting setting) {
        if (!setting.flag().isEmpty()) {
            for (String service : Set.of("hub", "run", "up")) {
                assertSame(service, setting.flag() + "=some,value=1");
                if (!setting.isSwitch()) {
                    assertSame(service, setting.flag(), "some value");
                }
            }
        }
    }

    private static void assertSame(String service, String... flags) {
        String[] words = new String[flags.length + 1];
        words[0] = service;
        System.arraycopy(flags, 0, words, 1, flags.length);
        var parsed = new Flags();
        new CommandLine(parsed).parseArgs(flags);
        assertThat(ServiceArguments.read(words))
                .contains(new ServiceArguments(service, Set.of(), parsed.flags.given()));
    }

    @CommandLine.Command
    private static final class Flags {
        @CommandLine.Mixin private final SettingFlags flags = new SettingFlags();
    }

    @Test
    void a_flag_that_takes_several_may_be_repeated() {
        var parsed = new Flags();
        new CommandLine(parsed)
                .parseArgs("--allow-origin", "http://a", "--allow-origin", "http://b,http://c");
        assertThat(parsed.flags.given())
                .containsEntry(Setting.ALLOW_ORIGIN, "http://a,http://b,http://c");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "hub --supervisor",
                "run --hub --supervisor --quiet",
                "run --quiet --listen 127.0.0.1:0",
                "up",
                "up --data-dir somewhere --quiet"
            })
    void the_usual_starts_need_no_picocli(String line) {
        assertThat(ServiceArguments.read(line.split(" ", -1))).isPresent();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "hub --help",
                "hub --quiet",
                "hub --listen",
                "hub --listen --supervisor",
                "hub --listen a --listen b",
                "hub --supervisor --supervisor",
                "hub --plain",
                "up @file",
                "up --listen @file",
                "up --listen ''",
                "up something",
                "jobs list",
                "--version"
            })
    void what_is_not_certain_is_left_to_picocli(String line) {
        assertThat(ServiceArguments.read(line.split(" ", -1))).isEmpty();
    }
}
