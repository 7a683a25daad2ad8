package dev.skep.worker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.skep.testkit.Eventually;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FactsOfAHostTest {
    @Test
    void a_host_says_what_it_is_and_what_agents_can_think_with_here() {
        HostFacts facts = new HostFacts(() -> List.of("claude", "pi"));
        assertThat(facts.get()).containsKeys("os", "arch", "cpus", "memory");
        assertThat(Integer.parseInt(facts.get().getOrDefault("cpus", ""))).isPositive();
        Eventually.holds(
                "its runtimes are known",
                () ->
                        facts.get().containsKey("runtime.claude")
                                && facts.get().containsKey("runtime.pi"));
    }

    @Test
    void a_table_of_runtimes_that_cannot_be_read_keeps_no_heartbeat_from_going() {
        HostFacts facts =
                new HostFacts(
                        () -> {
                            throw new IllegalStateException("runtimes.yaml is no table");
                        });
        assertThat(facts.get()).containsKey("os");
        assertThat(facts.get()).containsKey("os");
    }

    @ParameterizedTest
    @CsvSource({"Linux,linux", "Mac OS X,macos", "Windows 11,windows", "FreeBSD,freebsd"})
    void systems_have_one_name_each(String name, String label) {
        assertThat(HostFacts.os(name)).isEqualTo(label);
    }

    @ParameterizedTest
    @CsvSource({"amd64,amd64", "x86_64,amd64", "aarch64,arm64", "arm64,arm64", "riscv64,riscv64"})
    void processors_have_one_name_each(String name, String label) {
        assertThat(HostFacts.arch(name)).isEqualTo(label);
    }
}
