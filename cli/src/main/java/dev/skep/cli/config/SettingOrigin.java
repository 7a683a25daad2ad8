package dev.skep.cli.config;

import java.nio.file.Path;

/** Where a value was set, in words that help a person find the place. */
public sealed interface SettingOrigin {
    record Flag(String name) implements SettingOrigin {
        @Override
        public String toString() {
            return "flag " + name;
        }
    }

    record Environment(String name) implements SettingOrigin {
        @Override
        public String toString() {
            return "environment " + name;
        }
    }

    record EnvFile(Path file, int line, String name) implements SettingOrigin {
        @Override
        public String toString() {
            return file + " line " + line + " " + name;
        }
    }

    record Default() implements SettingOrigin {
        @Override
        public String toString() {
            return "default";
        }
    }
}
