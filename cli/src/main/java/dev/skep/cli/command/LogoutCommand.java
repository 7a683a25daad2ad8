package dev.skep.cli.command;

import dev.skep.cli.profile.Profile;
import dev.skep.cli.profile.Profiles;
import dev.skep.kernel.error.ErrorCode;
import dev.skep.kernel.error.ExitStatus;
import dev.skep.kernel.error.SkepException;
import dev.skep.transport.client.ApiClient;
import dev.skep.transport.client.HttpApiClient;
import java.net.http.HttpClient;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Ends a sign-in from this machine and forgets its profile. */
@Command(
        name = "logout",
        mixinStandardHelpOptions = true,
        description = {
            "Signs out at a hub and forgets the profile.",
            "A profile with an API key is only forgotten: 'skep keys revoke' ends the key itself."
        })
public final class LogoutCommand implements Callable<Integer> {
    private final CommandContext context;
    @Mixin private DatabaseFlags flags = new DatabaseFlags();

    @Parameters(
            paramLabel = "NAME",
            arity = "0..1",
            description = "The profile (default: that of SKEP_HUB, or the only one).")
    private Optional<String> name = Optional.empty();

    public LogoutCommand(CommandContext context) {
        this.context = context;
    }

    @Override
    public Integer call() {
        var _ = context.configuration(flags);
        Profiles profiles = context.profiles();
        Profile profile =
                name.map(profiles::get).or(context::remote).orElseGet(() -> only(profiles.all()));
        try (HttpClient client = HttpApiClient.newClient()) {
            boolean ended = end(client, profile);
            profiles.remove(profile);
            context.out().println("signed out of " + profile.name());
            if (!ended) {
                context.err()
                        .println(
                                profile.isSession()
                                        ? "skep: %s did not answer, so the sign-in goes on there until it expires; end it on the page Me"
                                                .formatted(profile.url())
                                        : "skep: the API key goes on; 'skep keys revoke' at the hub"
                                                + " ends it");
            }
        }
        return ExitStatus.OK.status();
    }

    private static Profile only(List<Profile> all) {
        if (all.size() == 1) {
            return all.getFirst();
        }
        throw new SkepException(
                ErrorCode.BAD_REQUEST,
                all.isEmpty()
                        ? "there is no profile; 'skep login URL' makes one"
                        : "name the profile; 'skep profiles' lists them");
    }

    /** Whether nothing more can be done with the profile's secret. */
    static boolean end(HttpClient client, Profile profile) {
        if (!profile.isSession()) {
            return false;
        }
        try (ApiClient api =
                new HttpApiClient(client, profile.url(), Optional.of(profile.secret()))) {
            api.delete("/api/session");
            return true;
        } catch (SkepException e) {
            return e.code() == ErrorCode.UNAUTHENTICATED;
        }
    }
}
