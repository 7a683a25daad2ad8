package dev.skep.cli.command;

import dev.skep.cli.profile.Profile;
import dev.skep.directory.link.HubUrl;
import dev.skep.kernel.error.ErrorCode;
import dev.skep.kernel.error.ExitStatus;
import dev.skep.kernel.error.SkepException;
import dev.skep.transport.client.ApiClient;
import dev.skep.transport.client.HttpApiClient;
import dev.skep.transport.route.Json;
import dev.skep.transport.route.JsonFields;
import java.io.Console;
import java.net.URI;
import java.net.http.HttpClient;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Signs in at a hub from this machine. */
@Command(
        name = "login",
        mixinStandardHelpOptions = true,
        description = {
            "Signs in at a hub, so that 'skep --hub NAME ...' works from here; NAME is the profile"
                    + " that this makes.",
            "Asks for a password, and for a code where there is a second factor. No secret is a"
                    + " word of the command line:",
            "each is typed, is a line of standard input, or stands in SKEP_PASSWORD, SKEP_CODE,"
                    + " SKEP_SIGN_IN_LINK or SKEP_API_KEY."
        })
public final class LoginCommand implements Callable<Integer> {
    private final CommandContext context;
    @Mixin private DatabaseFlags flags = new DatabaseFlags();

    @Parameters(paramLabel = "URL", description = "The hub, as it is opened in a browser.")
    private String url = "";

    @Option(
            names = "--name",
            paramLabel = "NAME",
            description = "What to call the profile (default: the host of the URL).")
    private Optional<String> name = Optional.empty();

    @Option(names = "--user", paramLabel = "USER", description = "Who signs in with a password.")
    private Optional<String> user = Optional.empty();

    @Option(
            names = "--org",
            paramLabel = "ORG",
            description = "The org that commands are about (default: default).")
    private Optional<String> org = Optional.empty();

    @Option(names = "--link", description = "Signs in with a sign-in link instead.")
    private boolean link;

    @Option(names = "--key", description = "Uses an operator's API key instead.")
    private boolean key;

    @Option(names = "--json", description = "Prints JSON.")
    private boolean json;

    public LoginCommand(CommandContext context) {
        this.context = context;
    }

    @Override
    public Integer call() {
        if (link && key) {
            throw new SkepException(
                    ErrorCode.BAD_REQUEST, "--link and --key exclude each other; leave one out");
        }
        boolean plain = context.configuration(flags).listener().plainOffLoopback();
        String base = HubUrl.of(url, plain).toString();
        String profileName = name.orElseGet(() -> nameOf(base));
        Optional<Profile> before = context.profiles().find(profileName);
        if (before.filter(profile -> !profile.url().equals(base)).isPresent()) {
            throw new SkepException(
                    ErrorCode.CONFLICT,
                    "the profile %s is of %s; choose another --name, or forget it with: skep logout %s"
                            .formatted(profileName, before.get().url(), profileName));
        }
        try (HttpClient client = HttpApiClient.newClient()) {
            Profile profile =
                    key ? withKey(client, profileName, base) : signedIn(client, profileName, base);
            context.profiles().write(profile);
            before.ifPresent(old -> LogoutCommand.end(client, old));
            return said(profile);
        }
    }

    private static String nameOf(String base) {
        URI uri = URI.create(base);
        String host = uri.getHost().replaceAll("[^A-Za-z0-9.-]", "");
        return uri.getPort() < 0 ? host : host + "-" + uri.getPort();
    }

    private Profile withKey(HttpClient client, String profileName, String base) {
        String secret = new SecretInput(context).read("SKEP_API_KEY", "API key");
        try (ApiClient api = new HttpApiClient(client, base, Optional.of(secret))) {
            JsonFields who = api.get("/api/session").fields();
            String keyOrg = who.text("org");
            if (org.filter(wanted -> !wanted.equals(keyOrg)).isPresent()) {
                throw new SkepException(
                        ErrorCode.BAD_REQUEST,
                        "this key is of the org %s; leave out --org".formatted(keyOrg));
            }
            String username = who.optionalText("username").orElse(who.text("who"));
            return new Profile(profileName, base, keyOrg, username, Profile.KEY, secret);
        }
    }

    private Profile signedIn(HttpClient client, String profileName, String base) {
        SecretInput input = new SecretInput(context);
        Map<String, Object> proof = new HashMap<>();
        String path = link ? "/api/session/link" : "/api/session";
        if (link) {
            String given = input.read("SKEP_SIGN_IN_LINK", "sign-in link");
            proof.put("token", given.substring(given.indexOf('#') + 1));
        } else {
            proof.put("username", user.orElseGet(() -> askedUser()));
            proof.put("password", input.read("SKEP_PASSWORD", "password"));
            org.ifPresent(each -> proof.put("org", each));
        }
        proof.put("client", "skep login");
        proof.put("bearer", true);
        try (ApiClient api = new HttpApiClient(client, base, Optional.empty())) {
            JsonFields who = proven(api, path, proof, input);
            String secret = who.text("session");
            return new Profile(
                    profileName,
                    base,
                    org.orElse(who.text("org")),
                    who.text("username"),
                    Profile.SESSION,
                    secret);
        }
    }

    private String askedUser() {
        return Optional.ofNullable(System.console())
                .filter(Console::isTerminal)
                .map(console -> console.readLine("user name: "))
                .map(String::strip)
                .filter(text -> !text.isEmpty())
                .orElseThrow(
                        () ->
                                new SkepException(
                                        ErrorCode.BAD_REQUEST, "name who signs in with --user"));
    }

    /** Asks for a code where the hub wants one. */
    private static JsonFields proven(
            ApiClient api, String path, Map<String, Object> proof, SecretInput input) {
        try {
            return api.post(path, proof).fields();
        } catch (SkepException e) {
            if (e.code() != ErrorCode.SECOND_FACTOR_REQUIRED) {
                throw e;
            }
            proof.put("code", input.read("SKEP_CODE", "code of your app, or a recovery code"));
            return api.post(path, proof).fields();
        }
    }

    private int said(Profile profile) {
        context.out()
                .println(
                        json
                                ? Json.text(ProfilesCommand.shown(profile))
                                : "signed in at %s as %s, org %s; now for example: skep --hub %s agents"
                                        .formatted(
                                                profile.url(),
                                                profile.username(),
                                                profile.org(),
                                                profile.name()));
        return ExitStatus.OK.status();
    }
}
