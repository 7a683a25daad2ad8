package dev.skep.worker;

import dev.skep.shell.HostList;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.regex.Pattern;

/**
 * Which variables this host lets a hub set for jobs and servers; none unless it is listed. What is
 * no name of a variable (a function of bash has such a one) never passes, nor do our own.
 */
public final class AllowedEnv {
    private static final Pattern NAME = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");
    private static final String OURS = "SKEP_";

    private final Supplier<List<String>> names;

    private AllowedEnv(Supplier<List<String>> names) {
        this.names = names;
    }

    public static AllowedEnv of(String... names) {
        List<String> all = List.of(names);
        return new AllowedEnv(() -> all);
    }

    /** Those of a file, one to a line; read each time, so that a change counts at once. */
    public static AllowedEnv listedIn(Path file) {
        return new AllowedEnv(new HostList(file)::entries);
    }

    /** Those of the variables that pass. */
    Map<String, String> passing(Map<String, String> asked) {
        Map<String, String> passing = new TreeMap<>(asked);
        if (!asked.isEmpty()) {
            Set<String> listed = new HashSet<>(names.get());
            passing.entrySet()
                    .removeIf(
                            variable ->
                                    !listed.contains(variable.getKey())
                                            || !canPass(variable.getKey())
                                            || variable.getValue().indexOf(0) >= 0);
        }
        return passing;
    }

    /** Whether a name may be listed at all. */
    static boolean canPass(String name) {
        return NAME.matcher(name).matches() && !name.startsWith(OURS);
    }
}
