package dev.skep.app.log;

import ch.qos.logback.classic.PatternLayout;
import ch.qos.logback.classic.pattern.MessageConverter;
import ch.qos.logback.classic.pattern.ThrowableProxyConverter;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.IThrowableProxy;
import ch.qos.logback.classic.spi.StackTraceElementProxy;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The layout of a log line: one line per event, and below it the stack trace of what was thrown.
 */
final class LineLayout extends PatternLayout {
    private static final String PATTERN =
            "%d{yyyy-MM-dd'T'HH:mm:ss.SSSZZZZZ} %-5level %logger{0} %line%n%trace";

    LineLayout() {
        getInstanceConverterMap().put("line", Line::new);
        getInstanceConverterMap().put("trace", Trace::new);
        setPattern(PATTERN);
    }

    /** What was logged. */
    static final class Line extends MessageConverter {
        @Override
        public String convert(ILoggingEvent event) {
            return SingleLineText.of(event.getFormattedMessage());
        }
    }

    /** What was thrown: the lines of a trace are ours, the messages in it may not be. */
    static final class Trace extends ThrowableProxyConverter {
        @Override
        protected String throwableProxyToString(IThrowableProxy thrown) {
            return super.throwableProxyToString(new Thrown(thrown));
        }
    }

    /** Something thrown, with its message in one line. */
    private record Thrown(IThrowableProxy thrown) implements IThrowableProxy {
        @Override
        public @Nullable String getMessage() {
            String message = thrown.getMessage();
            return message == null ? null : SingleLineText.of(message);
        }

        @Override
        public String getClassName() {
            return thrown.getClassName();
        }

        @Override
        public StackTraceElementProxy[] getStackTraceElementProxyArray() {
            return thrown.getStackTraceElementProxyArray();
        }

        @Override
        public int getCommonFrames() {
            return thrown.getCommonFrames();
        }

        @Override
        public @Nullable IThrowableProxy getCause() {
            return thrown.getCause() == null ? null : new Thrown(thrown.getCause());
        }

        @Override
        public IThrowableProxy[] getSuppressed() {
            IThrowableProxy[] suppressed = thrown.getSuppressed();
            return suppressed == null
                    ? new IThrowableProxy[0]
                    : Arrays.stream(suppressed).map(Thrown::new).toArray(IThrowableProxy[]::new);
        }

        @Override
        public boolean isCyclic() {
            return thrown.isCyclic();
        }
    }
}
