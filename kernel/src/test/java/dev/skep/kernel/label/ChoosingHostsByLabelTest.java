package dev.skep.kernel.label;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.skep.kernel.error.SkepException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ChoosingHostsByLabelTest {
    private static final Map<String, String> BIG =
            Map.of(
                    "os",
                    "linux",
                    "memory",
                    "64",
                    "gpu",
                    "a100",
                    "zone",
                    "fra",
                    "runtime.claude",
                    "1.2");

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "gpu=a100; true",
                "gpu=h100; false",
                "gpu = h100|a100; true",
                "zone=ams|fra; true",
                "os!=macos; true",
                "os!=linux|macos; false",
                "rack!=r1; true",
                "rack=r1; false",
                "memory>=32; true",
                "memory>=64; true",
                "memory>=64.5; false",
                "memory<=64; true",
                "os>=1; false",
                "rack>=1; false",
                "runtime.claude; true",
                "runtime.codex; false",
                "any; true",
                "os=linux, gpu=a100, memory>=32; true",
                "os=linux, gpu=h100; false",
            })
    void a_test_list_fits_or_does_not(String where, boolean fits) {
        assertThat(HostSelector.parse(where).fits(BIG)).isEqualTo(fits);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "memory>32; unknown operator >",
                "gpu==a100; unknown operator ==",
                "gpu~a100; unknown operator ~",
                "gpu:a100; unknown operator :",
                "memory=>32; unknown operator =>",
                "memory>=lots; is no number",
                "memory>=NaN; is no number",
                "gpu=; needs values",
                "gpu=a||b; needs values",
                "=a100; is no label test",
                "GPU=a100; is no label test",
                "gpu a100; has no operator",
            })
    void what_is_not_understood_is_named(String where, String why) {
        assertThatThrownBy(() -> HostSelector.parse(where))
                .isInstanceOf(SkepException.class)
                .hasMessageContaining(why)
                .hasMessageContaining(where);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "  ", ",", " , "})
    void an_empty_list_is_refused_because_any_is_a_word(String where) {
        assertThatThrownBy(() -> HostSelector.parse(where))
                .isInstanceOf(SkepException.class)
                .hasMessageContaining("or the word any");
    }

    @Test
    void what_is_read_is_written_the_same_again() {
        assertThat(
                        HostSelector.parse(
                                " gpu = a100 ,zone=ams|fra,,os!=macos, memory>=32,runtime.claude"))
                .hasToString("gpu=a100, zone=ams|fra, os!=macos, memory>=32, runtime.claude");
        assertThat(HostSelector.parse("any")).hasToString("any");
    }

    @Test
    void the_test_that_nobody_passes_is_named() {
        List<Map<String, String>> hosts = List.of(BIG, Map.of("os", "macos", "memory", "16"));
        assertThat(HostSelector.parse("os=macos, gpu=h100").failsEverywhere(hosts))
                .hasValueSatisfying(test -> assertThat(test).hasToString("gpu=h100"));
        assertThat(HostSelector.parse("os=macos, gpu=a100").failsEverywhere(hosts)).isEmpty();
    }
}
