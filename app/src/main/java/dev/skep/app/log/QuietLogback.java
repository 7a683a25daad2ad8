package dev.skep.app.log;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.Configurator;
import ch.qos.logback.classic.spi.ConfiguratorRank;
import ch.qos.logback.core.spi.ContextAwareBase;

/**
 * What Logback does until {@link LogSetup} is opened: warnings to standard error. Found as a
 * service, it also spares Logback the search for configuration files and its XML parser.
 */
@ConfiguratorRank(ConfiguratorRank.CUSTOM_HIGH_PRIORITY)
public final class QuietLogback extends ContextAwareBase implements Configurator {
    @Override
    public ExecutionStatus configure(LoggerContext context) {
        var root = context.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
        root.setLevel(Level.WARN);
        root.addAppender(LogSetup.started(context, LogSetup.standardError()));
        return ExecutionStatus.DO_NOT_INVOKE_NEXT_IF_ANY;
    }
}
