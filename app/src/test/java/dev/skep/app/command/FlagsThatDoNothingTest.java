package dev.skep.app.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import dev.skep.cli.config.ProcessPart;
import dev.skep.cli.config.Setting;
import dev.skep.kernel.error.ExitStatus;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

class FlagsThatDoNothingTest {
    private static final Map<String, Set<ProcessPart>> SERVICES =
            Map.of(
                    "up", EnumSet.of(ProcessPart.RUNNER, ProcessPart.HUB),
                    "run", EnumSet.of(ProcessPart.RUNNER),
                    "run --hub", EnumSet.of(ProcessPart.RUNNER, ProcessPart.HUB),
                    "hub", EnumSet.of(ProcessPart.HUB),
                    "supervisor", EnumSet.of(ProcessPart.SUPERVISOR),
                    "registry", EnumSet.of(ProcessPart.REGISTRY));

    @TempDir Path home;

    /** A service and the flag of a setting that makes no difference to it. */
    record Idle(String service, Setting setting) {}

    static Stream<Idle> idle() {
        return SERVICES.entrySet().stream()
                .flatMap(
                        service ->
                                withFlags()
                                        .filter(each -> !isHeeded(service.getValue(), each))
                                        .map(each -> new Idle(service.getKey(), each)));
    }

    private static Stream<Setting> withFlags() {
        return Arrays.stream(Setting.values()).filter(setting -> !setting.flag().isEmpty());
    }

    private static boolean isHeeded(Set<ProcessPart> parts, Setting setting) {
        return parts.stream().anyMatch(part -> part.heeds(setting));
    }

    @ParameterizedTest
    @MethodSource("idle")
    void are_refused_in_one_line_that_says_what_they_are_for(Idle idle) {
        var err = new StringWriter();
        String line = idle.service + " " + idle.setting.flag() + "=value";

        int status =
                Program.run(TestContext.of(Map.of(), home, new StringWriter(), err), words(line));

        assertThat(status).isEqualTo(ExitStatus.USAGE.status());
        assertThat(err.toString().lines())
                .singleElement()
                .asString()
                .contains(idle.setting.flag() + " does nothing here", idle.setting.meaning());
        assertThat(home).isEmptyDirectory();
    }

    @ParameterizedTest
    @EnumSource(Setting.class)
    void every_setting_is_for_something_and_is_not_refused_there(Setting setting) {
        List<Set<ProcessPart>> heeding =
                SERVICES.values().stream().filter(parts -> isHeeded(parts, setting)).toList();
        assertThat(heeding).isNotEmpty();
        for (Set<ProcessPart> parts : heeding) {
            assertThatCode(() -> ProcessPart.refuseIdle(parts, Map.of(setting, "value")))
                    .doesNotThrowAnyException();
        }
    }

    @Test
    void a_registry_that_keeps_nothing_joins_no_hub() {
        var err = new StringWriter();
        int status =
                Program.run(
                        TestContext.of(Map.of(), home, new StringWriter(), err),
                        words("registry --no-persist --hub-urls https://hub:4280"));
        assertThat(status).isEqualTo(ExitStatus.USAGE.status());
        assertThat(err.toString()).contains("--hub-urls does nothing with --no-persist");
    }

    @Test
    void config_says_what_a_setting_that_was_given_is_for() {
        var out = new StringWriter();
        var err = new StringWriter();
        Map<String, String> environment = Map.of("SKEP_JOBS_AT_ONCE", "3");
        int status = Program.run(TestContext.of(environment, home, out, err), words("config"));
        assertThat(status).as(err.toString()).isZero();
        assertThat(out.toString())
                .containsPattern(
                        "SKEP_JOBS_AT_ONCE +3 +environment SKEP_JOBS_AT_ONCE +for skep run");
    }

    private static String[] words(String line) {
        return line.split(" ", -1);
    }
}
