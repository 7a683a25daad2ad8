package dev.skep.runner.mcp;

import dev.skep.kernel.error.SkepException;
import dev.skep.shell.GuardedProgram;
import dev.skep.shell.ProgramSettings;
import dev.skep.shell.Programs;
import dev.skep.shell.ShellSettings;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Starts servers as the user of their agent and behind the wall of its shell, in the folder where
 * that starts, with a home of their own.
 */
public final class SandboxedServerPrograms implements ServerPrograms {
    /** Finds a program by its name in the PATH that the program itself gets. */
    private static final String FINDER = "/usr/bin/env";

    private static final int LAST_CHARS = 250;

    private final Programs programs;
    private final ShellSettings shell;
    private final Path home;

    /**
     * Starts nothing yet.
     *
     * @param shell what the agent's shell is given
     */
    public SandboxedServerPrograms(Programs programs, ShellSettings shell, Path home) {
        this.programs = programs;
        this.shell = shell;
        this.home = home;
    }

    @Override
    public Started start(List<String> words, Map<String, String> variables) throws IOException {
        List<String> command = new ArrayList<>(List.of(FINDER));
        command.addAll(words);
        try {
            return new Walled(
                    programs.start(
                            new ProgramSettings(
                                    shell.agent(),
                                    shell.own(),
                                    home,
                                    shell.folder(),
                                    command,
                                    Map.of(),
                                    variables,
                                    shell.hidden(),
                                    List.of())));
        } catch (SkepException e) {
            throw new IOException(e.getMessage(), e);
        }
    }

    /** One that runs. */
    private record Walled(GuardedProgram program) implements Started {
        @Override
        public InputStream output() {
            return program.output();
        }

        @Override
        public OutputStream input() {
            return program.input();
        }

        @Override
        public String lastErrors() {
            String text = program.errors().text().strip();
            return text.substring(Math.max(0, text.length() - LAST_CHARS));
        }

        @Override
        public void close() {
            program.close();
        }
    }
}
