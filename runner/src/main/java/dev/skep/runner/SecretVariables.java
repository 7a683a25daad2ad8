package dev.skep.runner;

import dev.skep.shell.redact.SecretNames;
import java.util.List;
import java.util.Map;

/** The variables that hold secrets. */
final class SecretVariables {
    private SecretVariables() {}

    static List<String> in(Map<String, String> environment) {
        return environment.entrySet().stream()
                .filter(entry -> SecretNames.mean(entry.getKey()))
                .map(Map.Entry::getValue)
                .toList();
    }
}
