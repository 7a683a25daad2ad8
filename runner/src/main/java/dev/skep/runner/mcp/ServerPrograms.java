package dev.skep.runner.mcp;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.List;
import java.util.Map;

/** Starts the programs of an agent's servers, with its rights and behind its wall. */
@FunctionalInterface
public interface ServerPrograms {
    /** A program that runs; closing it ends all that it started. */
    interface Started extends AutoCloseable {
        InputStream output();

        OutputStream input();

        /** The end of what it wrote to its standard error. */
        String lastErrors();

        @Override
        void close();
    }

    /**
     * Starts one.
     *
     * @param variables its own, beside harmless ones like PATH
     */
    Started start(List<String> words, Map<String, String> variables) throws IOException;
}
