package dev.skep.app.assembly;

import dev.skep.cli.config.Configuration;
import dev.skep.cli.config.SecretValue;
import dev.skep.cli.config.Setting;
import dev.skep.dispatch.assembly.DispatchConfig;
import dev.skep.dispatch.host.StatusRules;
import dev.skep.registry.module.RegistryModule;
import dev.skep.registry.module.RegistryOptions;
import dev.skep.runner.RunnerConfig;
import dev.skep.sync.module.HubLinkConfig;
import java.util.Optional;

/** The part of the configuration that each module gets. */
public final class ModuleConfigs {
    private ModuleConfigs() {}

    static DispatchConfig dispatch(Configuration configuration, Optional<String> queueUrl) {
        return new DispatchConfig(
                queueUrl,
                configuration.dataDir().resolve("secrets.key"),
                configuration.jobs().privateWebhooks(),
                StatusRules.STANDARD);
    }

    static Optional<String> queueUrl(Configuration configuration) {
        return configuration.jobs().queue().map(SecretValue::value);
    }

    public static HubLinkConfig links(Configuration configuration) {
        return new HubLinkConfig(
                configuration.dataDir(),
                configuration.links().hubs(),
                configuration.links().accessKey().map(SecretValue::value),
                configuration.links().allow(),
                configuration.listener().plainOffLoopback());
    }

    static RunnerConfig runner(Configuration configuration) {
        return new RunnerConfig(
                configuration.dataDir(),
                configuration.agents().environment(),
                configuration.agents().totalLimit().orElse(null),
                configuration.agents().waitForHubs(),
                configuration.agents().approvalTimeout());
    }

    static RegistryModule.Config registry(ProcessContext around) {
        return registry(around, around.configuration().registry().options());
    }

    static RegistryModule.Config registry(ProcessContext around, RegistryOptions options) {
        Configuration configuration = around.configuration();
        return new RegistryModule.Config(
                options,
                configuration.registry().token().map(SecretValue::value),
                around.home(),
                configuration.dataDir(),
                around.version());
    }

    /** Where the key that hubs and hosts share was set, if it was. */
    static Optional<String> sharedKeyFrom(Configuration configuration) {
        return configuration.inForce().stream()
                .filter(value -> value.setting() == Setting.HUB_ACCESS_KEY)
                .filter(value -> !value.text().isEmpty())
                .map(value -> value.origin().toString())
                .findFirst();
    }
}
