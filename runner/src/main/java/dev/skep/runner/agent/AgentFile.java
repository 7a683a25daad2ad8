package dev.skep.runner.agent;

import dev.skep.models.ModelSettings;
import dev.skep.models.money.Dollars;
import dev.skep.models.money.SpendLimit;
import dev.skep.models.yaml.DefaultsTo;
import dev.skep.models.yaml.Description;
import dev.skep.runner.approval.Protection;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** One agent's YAML file. Texts are as written: {@code ${…}} is filled in only where it is used. */
public record AgentFile(
        @Description("Its name in mail; the file's name if left out.") @Nullable String username,
        @Description("What it is, in a few words.") @Nullable String title,
        @Description(
                        "Who it is and what it is to do. ${agent.username}, ${agent.title}, ${agent.lead}, ${agent.host} and ${env.NAME} are filled in.")
                String prompt,
        @Description(
                        "What thinks for it: skep is our own loop; claude, codex, gemini, opencode, pi or a name of runtimes.yaml is a program that this host starts.")
                @DefaultsTo("skep")
                String runtime,
        @Description(
                        "A model of models.yaml or of the shipped table, or scripted:FILE. Required for the runtime skep; others may choose their own.")
                @Nullable String model,
        @Description(
                        "How another runtime than skep reaches its model: gateway counts each call against spend_limit; login uses the runtime's own sign-in, which is not metered.")
                @DefaultsTo("gateway")
                Auth auth,
        @Description("How hard a model that can reason thinks first.") @DefaultsTo("off")
                ModelSettings.Reasoning reasoning,
        @Description("0 is sober, 1 is lively; the provider's own default if left out.")
                @Nullable Double temperature,
        @Description("Tokens of context after which the session is summarised and continues.")
                @DefaultsTo("60000")
                long tokenLimit,
        @Description("The longest reply, in tokens.") @DefaultsTo("4096") int maxOutputTokens,
        @Description("Dollars it may spend within spend_window; no limit of its own if left out.")
                @Nullable Dollars spendLimit,
        @Description("The stretch of time spend_limit is for.") @DefaultsTo("1d")
                Duration spendWindow,
        @Description("Commands to run when a run begins.") List<String> startCommands,
        @Description("Whether mail wakes it when it waits or has completed its work.")
                @DefaultsTo("true")
                boolean wakeOnMail,
        @Description("Whether it starts with the runner.") @DefaultsTo("true") boolean autoStart,
        @Description("Whether a reply may run several commands, or only its first.")
                @DefaultsTo("true")
                boolean multipleCommands,
        @Description(
                        "none runs what deny does not name; manual asks a person unless allow names it.")
                @DefaultsTo("none")
                Protection.Mode protection,
        @Description("Commands that run without asking, with * for anything.") List<String> allow,
        @Description("Commands that never run, with * for anything.") List<String> deny,
        @Description(
                        "How long a command waits for a person before it is denied; as its host's --approval-timeout says if left out.")
                @Nullable Duration approvalTimeout,
        @Description("How long a command may run before the agent decides to wait, type or kill.")
                @DefaultsTo("60s")
                Duration commandTimeout,
        @Description("Characters of one command's output the agent sees, head and tail.")
                @DefaultsTo("10000")
                int outputLimit,
        @Description("Whether to pause after each turn until a person resumes it.")
                @DefaultsTo("false")
                boolean pauseAfterTurn,
        @Description("The least time from one turn to the next.") @DefaultsTo("0s")
                Duration turnDelay,
        @Description("Where its shell starts; a folder of its own if left out.")
                @Nullable String folder,
        @Description("A clone of a git repository of its own, instead of folder.")
                @Nullable Workspace workspace,
        @Description(
                        "What its own folder may hold, such as 2GB; it is told before that, and held at it.")
                @Nullable DiskSize diskLimit,
        @Description(
                        "After how long without work the program of its runtime ends until it is needed.")
                @DefaultsTo("10m")
                Duration idleStop,
        @Description(
                        "How many turns it may begin within spend_window; for agents with auth: login.")
                @Nullable Long turnLimit,
        @Description(
                        "How many tokens it may use within spend_window, as its runtime reports them; for agents with auth: login.")
                @Nullable Long usageLimit,
        @Description("MCP servers whose tools it may use.") List<ToolServer> tools,
        @Description("Variables of its shell.") Map<String, String> env) {

    /** The name of our own loop among the runtimes. */
    public static final String OWN_LOOP = "skep";

    /** How a runtime reaches its model. */
    public enum Auth {
        GATEWAY,
        LOGIN
    }

    /** A git repository that it gets a clone of. */
    public record Workspace(
            @Description("The repository, relative to the data dir, or an absolute path.")
                    String repo,
            @Description("The branch that it works on; made if missing.")
                    @DefaultsTo("skep/${agent.username}")
                    String branch) {}

    /** An MCP server: a program with its arguments, or the address of one. */
    public record ToolServer(
            @Description("What its tools are known by.") String name,
            @Description("The program and its arguments.") List<String> command,
            @Description("Variables of the program; ${env.NAME} is filled in.")
                    Map<String, String> env,
            @Description("The address of a server that is running already.") @Nullable String url,
            @Description("Headers sent to that address; ${env.NAME} is filled in.")
                    Map<String, String> headers) {
        public ToolServer {
            if (!name.matches("[a-z0-9][a-z0-9_-]{0,31}")) {
                throw new IllegalArgumentException(
                        "name: '%s' must be up to 32 lower-case letters, digits, - and _"
                                .formatted(name));
            }
            if (name.equals(OWN_LOOP)) {
                // Tools under this name are allowed without asking a person.
                throw new IllegalArgumentException(
                        "name: 'skep' is the name of the tools that every agent has; choose another");
            }
            if (command.isEmpty() == (url == null)) {
                throw new IllegalArgumentException(
                        "command: a server has either a command or a url");
            }
            if (url != null && !url.matches("https?://[^\\s/].*")) {
                throw new IllegalArgumentException(
                        "url: '%s' is not an http address".formatted(url));
            }
            LiteralSecrets.refuse("env", env);
            LiteralSecrets.refuse("headers", headers);
        }
    }

    public AgentFile {
        if (model == null && runtime.equals(OWN_LOOP)) {
            throw new IllegalArgumentException("model: is missing; add it");
        }
        if (!runtime.matches("[a-z0-9][a-z0-9_-]{0,31}")) {
            throw new IllegalArgumentException(
                    "runtime: '%s' must be up to 32 lower-case letters, digits, - and _"
                            .formatted(runtime));
        }
        if (username != null && !username.matches("[a-z0-9][a-z0-9_-]{0,31}")) {
            throw new IllegalArgumentException(
                    "username: '%s' must be up to 32 lower-case letters, digits, - and _"
                            .formatted(username));
        }
        if (tools.stream().map(ToolServer::name).distinct().count() < tools.size()) {
            throw new IllegalArgumentException("tools: two servers have the same name");
        }
        atLeast(1_000, tokenLimit, "token_limit");
        atLeast(16, maxOutputTokens, "max_output_tokens");
        atLeast(200, outputLimit, "output_limit");
    }

    private static void atLeast(long least, long value, String key) {
        if (value < least) {
            throw new IllegalArgumentException(
                    "%s: %d is too small; at least %d".formatted(key, value, least));
        }
    }

    /** Whether a program of another maker thinks for it. */
    public boolean isManaged() {
        return !runtime.equals(OWN_LOOP);
    }

    /** The model's name; empty where a runtime chooses its own. */
    public String modelName() {
        return model == null ? "" : model;
    }

    public @Nullable SpendLimit limit() {
        return spendLimit == null ? null : new SpendLimit(spendLimit, spendWindow);
    }

    public Protection protectionRules() {
        return new Protection(protection, allow, deny);
    }

    public ModelSettings settings() {
        return new ModelSettings(maxOutputTokens, temperature, reasoning, true);
    }
}
