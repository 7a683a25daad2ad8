package dev.skep.kernel.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;

final class ProcessSessionTest {
    private static final List<String> DEAF =
            List.of("bash", "-c", "trap '' INT QUIT HUP TERM; exec \"$@\"", "deaf");
    private static final long HUP_INT_QUIT_TERM = 0x4007;
    private static final List<String> IGNORED = List.of("grep", "SigIgn", "/proc/self/status");
    private static final List<String> SESSION = List.of("sh", "-c", "ps -o sid= -p $$; echo $$");

    private static List<String> output(List<String> first, List<String> then) throws Exception {
        var command = new ArrayList<>(DEAF);
        command.addAll(first);
        command.addAll(then);
        Process process = new ProcessBuilder(command).start();
        return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8)
                .lines()
                .map(String::strip)
                .toList();
    }

    @Test
    void a_program_receives_signals_that_its_starter_ignores() throws Exception {
        assertThat(ignoredBy(List.of())).isEqualTo(HUP_INT_QUIT_TERM);
        assertThat(ignoredBy(ProcessSession.words())).isZero();
    }

    private static long ignoredBy(List<String> words) throws Exception {
        String told = output(words, IGNORED).getFirst();
        return HexFormat.fromHexDigitsToLong(told.replace("SigIgn:\t", "")) & HUP_INT_QUIT_TERM;
    }

    @Test
    void a_program_leads_its_session() throws Exception {
        assertThat(output(ProcessSession.words(), SESSION).stream().distinct()).hasSize(1);
        assertThat(output(List.of(), SESSION).stream().distinct()).hasSize(2);
    }
}
