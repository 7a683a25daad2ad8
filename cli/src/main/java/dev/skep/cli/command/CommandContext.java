package dev.skep.cli.command;

import dev.skep.cli.admin.AdminApi;
import dev.skep.cli.config.Configuration;
import dev.skep.cli.config.Setting;
import dev.skep.cli.config.SettingSources;
import dev.skep.cli.profile.Profile;
import dev.skep.cli.profile.Profiles;
import dev.skep.cli.profile.RemoteApi;
import dev.skep.directory.host.HostKind;
import dev.skep.transport.client.CertificateAuthorities;
import dev.skep.transport.client.HttpApiClient;
import java.io.Console;
import java.io.PrintWriter;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.net.http.HttpClient;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * What a command may use of the process it runs in: data goes to {@code out}, everything else a
 * person reads to {@code err}.
 */
public record CommandContext(
        Map<String, String> environment,
        Path workingFolder,
        Path home,
        InstantSource clock,
        PrintWriter out,
        PrintWriter err,
        AdminApi.Stopped stopped,
        AtomicReference<@Nullable Path> knownDataDir) {
    /** Names the profile of a hub. */
    public static final String HUB = "SKEP_HUB";

    private static final String ORG = "SKEP_ORG";

    public static CommandContext ofThisProcess(InstantSource clock, AdminApi.Stopped stopped) {
        return new CommandContext(
                System.getenv(),
                Path.of("").toAbsolutePath(),
                home(System.getenv("HOME")),
                clock,
                new PrintWriter(System.out, true, StandardCharsets.UTF_8),
                new PrintWriter(System.err, true, StandardCharsets.UTF_8),
                stopped,
                new AtomicReference<>());
    }

    // HOME first, as other tools do: the JVM's own answer comes from the user database.
    private static Path home(@Nullable String given) {
        boolean useless = given == null || given.isBlank();
        return Path.of(useless ? System.getProperty("user.home") : given).toAbsolutePath();
    }

    /** The validated configuration; from here on a failure is written to its data dir. */
    public Configuration configuration(DataDirFlag flags) {
        return configuration(flags.given());
    }

    public Configuration configuration(Map<Setting, String> given) {
        var sources = new SettingSources(given, environment, workingFolder, home);
        var configuration = Configuration.read(sources, CommandContext::machineName);
        knownDataDir.set(configuration.dataDir());
        configuration.links().authorities().ifPresent(CertificateAuthorities::trustToo);
        return configuration;
    }

    /** The hub that commands are sent to instead of this machine's data dir, if one is named. */
    public Optional<Profile> remote() {
        return Optional.of(environment.getOrDefault(HUB, "").strip())
                .filter(name -> !name.isEmpty())
                .map(name -> profiles().get(name))
                .map(
                        profile ->
                                profile.inOrg(
                                        environment.getOrDefault(ORG, profile.org()).strip()));
    }

    public Profiles profiles() {
        return Profiles.of(environment, home);
    }

    /** The same for a command that is sent to the hub of this profile. */
    public CommandContext at(String profile) {
        Map<String, String> changed = new HashMap<>(environment);
        changed.put(HUB, profile);
        return new CommandContext(
                changed, workingFolder, home, clock, out, err, stopped, knownDataDir);
    }

    /** The routes of a data dir, see {@link AdminApi#open}, or those of the hub that is named. */
    public AdminApi admin(Configuration configuration, HostKind wanted) {
        return remote().map(
                        profile -> {
                            HttpClient client = HttpApiClient.newClient();
                            return new AdminApi(
                                    new RemoteApi(client, profile), profile.url(), client);
                        })
                .orElseGet(() -> AdminApi.open(configuration, wanted, stopped));
    }

    /** Where failures are written once the configuration is known. */
    public Optional<Path> dataDir() {
        return Optional.ofNullable(knownDataDir.get());
    }

    /** Whether a person sits at the other end and may be shown what redraws itself. */
    public static boolean interactive() {
        return Optional.ofNullable(System.console()).filter(Console::isTerminal).isPresent();
    }

    private static String machineName() {
        try {
            return InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException e) {
            // The message of a machine that does not know itself still starts with its name.
            String message = Optional.ofNullable(e.getMessage()).orElse("localhost");
            return message.replaceFirst(":.*", "");
        }
    }
}
