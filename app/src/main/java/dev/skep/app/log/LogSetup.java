package dev.skep.app.log;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.ConsoleAppender;
import ch.qos.logback.core.OutputStreamAppender;
import ch.qos.logback.core.encoder.LayoutWrappingEncoder;
import ch.qos.logback.core.rolling.FixedWindowRollingPolicy;
import ch.qos.logback.core.rolling.RollingFileAppender;
import ch.qos.logback.core.rolling.SizeBasedTriggeringPolicy;
import ch.qos.logback.core.util.FileSize;
import dev.skep.cli.config.DataDir;
import java.nio.file.Path;
import java.util.List;
import org.slf4j.ILoggerFactory;
import org.slf4j.LoggerFactory;
import org.slf4j.helpers.SubstituteLoggerFactory;

/**
 * Where a service's log lines go: {@code logs/skep.log} in the data dir, rotated by size, and
 * standard error. Only services open it; a short command never loads Logback.
 */
public final class LogSetup implements AutoCloseable {
    static final String FOLDER = "logs";
    private static final long FILE_BYTES = 10 * FileSize.MB_COEFFICIENT;
    private static final int OLD_FILES = 5;

    /** Libraries whose INFO is no state change an operator cares about. */
    private static final List<String> CHATTY = List.of("org.eclipse.jetty", "io.javalin");

    /** These libraries log what they also throw, which would then appear twice. */
    private static final List<String> LOG_TWICE =
            List.of("com.zaxxer.hikari", "io.javalin.Javalin", "io.lettuce.core");

    private final LoggerContext context;

    private LogSetup(LoggerContext context) {
        this.context = context;
    }

    /** Sends all log lines of this process to the data dir's log and to standard error. */
    public static LogSetup open(Path dataDir) {
        Path folder = dataDir.resolve(FOLDER);
        DataDir.createPrivate(folder);
        LogSetup logSetup = openWithoutFile();
        logSetup.root()
                .addAppender(started(logSetup.context, rotatingFile(logSetup.context, folder)));
        return logSetup;
    }

    /** To standard error only. */
    public static LogSetup openWithoutFile() {
        LoggerContext context = context();
        Logger root = context.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
        root.detachAndStopAllAppenders();
        root.setLevel(Level.INFO);
        CHATTY.forEach(library -> context.getLogger(library).setLevel(Level.WARN));
        LOG_TWICE.forEach(library -> context.getLogger(library).setLevel(Level.OFF));
        root.addAppender(started(context, standardError()));
        Thread.setDefaultUncaughtExceptionHandler(
                (thread, failure) ->
                        root.error("thread {} ended unexpectedly", thread.getName(), failure));
        return new LogSetup(context);
    }

    private Logger root() {
        return context.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
    }

    /** While another thread has the library start, it hands out a stand-in. */
    private static LoggerContext context() {
        ILoggerFactory factory = LoggerFactory.getILoggerFactory();
        while (factory instanceof SubstituteLoggerFactory) {
            Thread.onSpinWait();
            factory = LoggerFactory.getILoggerFactory();
        }
        return (LoggerContext) factory;
    }

    static ConsoleAppender<ILoggingEvent> standardError() {
        var appender = new ConsoleAppender<ILoggingEvent>();
        appender.setName("stderr");
        appender.setTarget("System.err");
        return appender;
    }

    static OutputStreamAppender<ILoggingEvent> started(
            LoggerContext context, OutputStreamAppender<ILoggingEvent> appender) {
        var layout = new LineLayout();
        layout.setContext(context);
        layout.start();
        var encoder = new LayoutWrappingEncoder<ILoggingEvent>();
        encoder.setContext(context);
        encoder.setLayout(layout);
        encoder.start();
        appender.setContext(context);
        appender.setEncoder(encoder);
        appender.start();
        return appender;
    }

    private static RollingFileAppender<ILoggingEvent> rotatingFile(
            LoggerContext context, Path folder) {
        String file = folder.resolve("skep.log").toString();
        var appender = new RollingFileAppender<ILoggingEvent>();
        appender.setName("file");
        appender.setFile(file);

        var rolling = new FixedWindowRollingPolicy();
        rolling.setContext(context);
        rolling.setParent(appender);
        rolling.setMinIndex(1);
        rolling.setMaxIndex(OLD_FILES);
        rolling.setFileNamePattern(file + ".%i.gz");
        rolling.start();
        appender.setRollingPolicy(rolling);

        var trigger = new SizeBasedTriggeringPolicy<ILoggingEvent>();
        trigger.setContext(context);
        trigger.setMaxFileSize(new FileSize(FILE_BYTES));
        trigger.start();
        appender.setTriggeringPolicy(trigger);
        return appender;
    }

    @Override
    public void close() {
        context.stop();
    }
}
