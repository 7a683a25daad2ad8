package dev.skep.cli.command;

import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Whose notifications a command is about. */
final class PersonFlags {
    @Mixin private AdminFlags admin = new AdminFlags();

    @Option(
            names = "--for",
            paramLabel = "OPERATOR",
            defaultValue = "",
            description =
                    "The operator, by name or id; on the machine of the hub it must be said (elsewhere: yourself).")
    private String operator = "";

    AdminFlags admin() {
        return admin;
    }

    /** A path below the person's notifications. */
    String path(String... segments) {
        String[] all = new String[segments.length + 1];
        all[0] = "notifications";
        System.arraycopy(segments, 0, all, 1, segments.length);
        return admin.path(all)
                + (operator.isEmpty() ? "" : "?operator=" + AdminFlags.encoded(operator));
    }
}
