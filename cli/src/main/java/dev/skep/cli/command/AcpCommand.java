package dev.skep.cli.command;

import dev.skep.cli.acp.AcpAgent;
import dev.skep.cli.acp.AgentClient;
import dev.skep.cli.acp.HubAgentClient;
import dev.skep.cli.acp.LocalAgentClient;
import dev.skep.cli.admin.AdminFile;
import dev.skep.cli.config.Configuration;
import dev.skep.cli.profile.Profile;
import dev.skep.kernel.error.ErrorCode;
import dev.skep.kernel.error.ExitStatus;
import dev.skep.kernel.error.SkepException;
import dev.skep.transport.client.ApiClient;
import dev.skep.transport.client.HttpApiClient;
import java.io.BufferedOutputStream;
import java.net.http.HttpClient;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Lets an editor talk to an agent of the fleet. */
@Command(
        name = "acp",
        mixinStandardHelpOptions = true,
        description = {
            "Speaks the Agent Client Protocol on standard input and output, for editors that open"
                    + " agents.",
            "Without --hub it reaches the running process of the data dir; with --hub any agent of"
                    + " that hub:",
            "of a profile that 'skep login' made, or of a URL with an operator's key in"
                    + " SKEP_API_KEY."
        })
public final class AcpCommand implements Callable<Integer> {
    private static final String KEY = "SKEP_API_KEY";

    private final CommandContext context;
    @Mixin private DataDirFlag flags = new DataDirFlag();

    @Option(
            names = "--agent",
            required = true,
            paramLabel = "NAME",
            description = "The agent: its name; with --hub also name@host or its id.")
    private String agent = "";

    @Option(
            names = "--hub",
            paramLabel = "NAME|URL",
            description = "The hub to ask: a profile, or its address as in a browser.")
    private Optional<String> hub = Optional.empty();

    @Option(
            names = "--org",
            paramLabel = "ORG",
            description = "The org at the hub (default: that of the profile, or default).")
    private Optional<String> org = Optional.empty();

    public AcpCommand(CommandContext context) {
        this.context = context;
    }

    @Override
    public Integer call() {
        try (HttpClient client = HttpApiClient.newClient();
                AgentClient reached = reached(client)) {
            var out = new BufferedOutputStream(System.out);
            new AcpAgent(reached, version(), out, this::report).serve(System.in);
            return ExitStatus.OK.status();
        }
    }

    private AgentClient reached(HttpClient client) {
        Configuration configuration = context.configuration(flags);
        return hub.filter(text -> text.contains("://"))
                .map(url -> new Profile("", url.replaceFirst("/+$", ""), "default", "", "", key()))
                .or(() -> hub.map(name -> context.profiles().get(name)))
                .or(context::remote)
                .<AgentClient>map(profile -> atHub(client, profile))
                .orElseGet(() -> new LocalAgentClient(() -> process(client, configuration), agent));
    }

    private AgentClient atHub(HttpClient client, Profile profile) {
        return new HubAgentClient(
                new HttpApiClient(client, profile.url(), Optional.of(profile.secret())),
                org.orElse(profile.org()),
                agent);
    }

    private String key() {
        String key = context.environment().getOrDefault(KEY, "").strip();
        if (key.isEmpty()) {
            throw new SkepException(
                    ErrorCode.BAD_CONFIGURATION,
                    "set %s to a key of an operator; 'skep keys issue' at the hub prints one"
                            .formatted(KEY));
        }
        return key;
    }

    /** Only a process that runs: without one no agent would answer. */
    private static ApiClient process(HttpClient client, Configuration configuration) {
        return AdminFile.read(configuration.dataDir())
                .<ApiClient>map(
                        address ->
                                HttpApiClient.ofOwnProcess(client, address.url(), address.secret()))
                .orElseThrow(
                        () ->
                                new SkepException(
                                        ErrorCode.HUB_UNREACHABLE,
                                        "nothing runs in %s; start 'skep up' or 'skep run' there, or name a hub with --hub"
                                                .formatted(configuration.dataDir())));
    }

    private void report(String line) {
        context.err().println("skep: " + line);
        context.err().flush();
    }

    private static String version() {
        String version = AcpCommand.class.getPackage().getImplementationVersion();
        return version == null ? "0" : version;
    }
}
