package dev.skep.runner.runtime;

import dev.skep.models.gateway.RefusalStyle;
import dev.skep.models.yaml.DefaultsTo;
import dev.skep.models.yaml.Description;
import dev.skep.runner.agent.AgentFile;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A program that speaks the Agent Client Protocol, and all that it takes to run it as an agent. */
public record RuntimeDefinition(
        @Description("what agents' files call it") String name,
        @Description("what people call it") @Nullable String title,
        @Description("the program and its arguments, which start it speaking ACP on stdio")
                List<String> command,
        @Description("how to get the program; shown where it is missing") String install,
        @Description(
                        "how it asks its model: anthropic, openai, google; none if it cannot be pointed at the gateway")
                ModelApiFormat wire,
        @Description(
                        "variables; ${model}, ${permission} and the like are filled in, one without its value is left out")
                Map<String, String> env,
        @Description("texts to write into its home, by path below it") Map<String, String> files,
        @Description(
                        "further variables with auth: gateway, where ${gateway.url} and ${gateway.token} are known")
                Map<String, String> gatewayEnv,
        @Description("further texts with auth: gateway") Map<String, String> gatewayFiles,
        @Description("further variables with auth: login") Map<String, String> loginEnv,
        @Description("further texts with auth: login") Map<String, String> loginFiles,
        @Description(
                        "the mode in which it asks before it changes anything; its usual one if left out")
                @Nullable String askingMode,
        @Description("the mode in which it asks nothing; its usual one if left out")
                @Nullable String freeMode,
        @Description("whether it can ask for permission at all") @DefaultsTo("true") boolean asks,
        @Description("how it takes up an earlier session: load, resume or none") @DefaultsTo("none")
                ResumeMethod resume,
        @Description("how it is told that its budget is used up: answer (works for all) or by_wire")
                @DefaultsTo("answer")
                RefusalStyle refusals,
        @Description("the command that prints its version") List<String> version,
        @Description("the command of its own sign-in, for auth: login") List<String> login,
        @Description("where its sign-in is kept, as paths below its home; never moved or copied")
                List<String> credentials) {

    public RuntimeDefinition {
        if (!name.matches("[a-z0-9][a-z0-9_-]{0,31}") || name.equals(AgentFile.OWN_LOOP)) {
            throw new IllegalArgumentException(
                    "name: '%s' must be up to 32 lower-case letters, digits, - and _, and not %s"
                            .formatted(name, AgentFile.OWN_LOOP));
        }
        if (command.isEmpty() || command.getFirst().isBlank()) {
            throw new IllegalArgumentException("command: is empty; name the program");
        }
        requireKnown("env", env, false);
        requireKnown("files", files, false);
        requireKnown("gateway_env", gatewayEnv, true);
        requireKnown("gateway_files", gatewayFiles, true);
        requireKnown("login_env", loginEnv, false);
        requireKnown("login_files", loginFiles, false);
        requireBelow("files", files);
        requireBelow("gateway_files", gatewayFiles);
        requireBelow("login_files", loginFiles);
        if (wire == ModelApiFormat.NONE && !(gatewayEnv.isEmpty() && gatewayFiles.isEmpty())) {
            throw new IllegalArgumentException(
                    "wire: none has no gateway; name a wire, or leave gateway_env and gateway_files out");
        }
    }

    private static void requireKnown(String key, Map<String, String> texts, boolean gateway) {
        for (var each : texts.entrySet()) {
            RuntimePlaceholders.unknown(each.getValue(), gateway)
                    .ifPresent(
                            word -> {
                                throw new IllegalArgumentException(
                                        "%s: %s: ${%s} is not known here; known are %s"
                                                .formatted(
                                                        key,
                                                        each.getKey(),
                                                        word,
                                                        RuntimePlaceholders.known(gateway)));
                            });
        }
    }

    private static void requireBelow(String key, Map<String, String> files) {
        for (String path : files.keySet()) {
            if (!path.matches("[A-Za-z0-9._-]+(/[A-Za-z0-9._-]+)*")
                    || List.of(path.split("/", -1)).contains("..")) {
                throw new IllegalArgumentException(
                        "%s: '%s' is not a path below the agent's home".formatted(key, path));
            }
        }
    }

    /** What people call it. */
    public String shownName() {
        return title == null ? name : title;
    }

    /** The id of the mode to choose, if one has to be chosen. */
    public Optional<String> mode(boolean asking) {
        return Optional.ofNullable(asking ? askingMode : freeMode);
    }

    /** Whether what it spends can be counted and limited before it is spent. */
    public boolean metered() {
        return wire != ModelApiFormat.NONE;
    }

    /** Whether the gateway can only be told together with a model. */
    public boolean needsModel() {
        return gatewayFiles.values().stream().anyMatch(text -> text.contains("${model"));
    }

    /** Whether it takes up the session of an earlier process. */
    public boolean resumes() {
        return resume != ResumeMethod.NONE;
    }
}
