package dev.skep.kernel.label;

import dev.skep.kernel.error.ErrorCode;
import dev.skep.kernel.error.SkepException;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Which hosts are meant: those that pass all tests, written with commas between them, or {@code
 * any}.
 */
public record HostSelector(List<LabelTest> tests) {
    private static final String ANY = "any";
    private static final int MOST = 32;

    public HostSelector {
        tests = List.copyOf(tests);
    }

    /** Every host. */
    public static HostSelector any() {
        return new HostSelector(List.of());
    }

    /** Reads a list of tests; an empty one is refused, since {@code any} has a word of its own. */
    public static HostSelector parse(String text) {
        if (text.strip().equals(ANY)) {
            return any();
        }
        List<String> written =
                Arrays.stream(text.split(",", -1))
                        .map(String::strip)
                        .filter(each -> !each.isEmpty())
                        .toList();
        if (written.isEmpty() || written.size() > MOST) {
            throw new SkepException(
                    ErrorCode.BAD_REQUEST,
                    "where needs 1 to %d label tests such as gpu=a100, or the word any"
                            .formatted(MOST));
        }
        return new HostSelector(written.stream().map(LabelTest::parse).distinct().toList());
    }

    public boolean fits(Map<String, String> labels) {
        return tests.stream().allMatch(test -> test.fits(labels));
    }

    /**
     * The test that no host passes, for people who ask why nothing fits; empty if each test has a
     * host that passes it.
     */
    public Optional<LabelTest> failsEverywhere(Collection<Map<String, String>> hosts) {
        return tests.stream().filter(test -> hosts.stream().noneMatch(test::fits)).findFirst();
    }

    /** As people write it. */
    @Override
    public String toString() {
        return tests.isEmpty()
                ? ANY
                : tests.stream().map(LabelTest::toString).collect(Collectors.joining(", "));
    }
}
