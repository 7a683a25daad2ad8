package dev.skep.browser.real;

import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * Gives all classes of a run the same fleet, because four processes take longer to start than most
 * tests take; it ends with the run. Classes that use it hold its lock, so they follow one another.
 */
final class OneFleet implements ParameterResolver {
    static final String LOCK = "the real fleet";

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        return parameter.getParameter().getType() == RealFleet.class;
    }

    @Override
    public RealFleet resolveParameter(ParameterContext parameter, ExtensionContext context) {
        return context.getRoot()
                .getStore(ExtensionContext.Namespace.GLOBAL)
                .computeIfAbsent(RealFleet.class, _ -> new RealFleet(), RealFleet.class);
    }
}
