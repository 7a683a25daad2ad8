package dev.skep.transport.http;

import io.javalin.config.JavalinConfig;
import java.util.function.Consumer;

/** Something a listener serves besides its routes, with the HTTP library's own means. */
@FunctionalInterface
public interface Mount extends Consumer<JavalinConfig> {}
