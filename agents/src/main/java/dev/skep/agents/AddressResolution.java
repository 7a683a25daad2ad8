package dev.skep.agents;

import dev.skep.kernel.id.HostId;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * The agents that an address may mean. A bare name means the holder of the name; {@code
 * alice@host-2} means the agent of that host. An ambiguous bare name is refused with the choices.
 */
public sealed interface AddressResolution {
    record Found(Agent agent) implements AddressResolution {}

    /**
     * No recipient, or an ambiguous one.
     *
     * @param problem one line that names the address and what to write instead
     */
    record Refused(String problem) implements AddressResolution {}

    /**
     * Decides among all rows of the name.
     *
     * @param named every row of the name part, removed ones too, the holder of the name first
     * @param sender the host the mail is written on
     * @param called what people call a host where the mail is written, besides its own name
     */
    static AddressResolution resolve(
            String address,
            List<Agent> named,
            HostId sender,
            Function<HostId, Optional<String>> called) {
        int at = address.indexOf('@');
        List<Agent> live = named.stream().filter(Agent::isLive).toList();
        if (live.isEmpty()) {
            return new Refused(noSuchAgent(address, named));
        }
        if (at >= 0) {
            String host = address.substring(at + 1);
            return live.stream()
                    .filter(a -> a.hostName().equals(host) || a.host().value().equals(host))
                    .findFirst()
                    .or(
                            () ->
                                    live.stream()
                                            .filter(
                                                    a ->
                                                            called.apply(a.host())
                                                                    .filter(host::equals)
                                                                    .isPresent())
                                            .findFirst())
                    .<AddressResolution>map(Found::new)
                    .orElseGet(() -> new Refused(ambiguous(address, live)));
        }
        boolean ownIsMarked =
                live.stream().anyMatch(a -> a.nameConflict() && a.host().equals(sender));
        List<Agent> unmarked = live.stream().filter(a -> !a.nameConflict()).toList();
        if (ownIsMarked || unmarked.isEmpty()) {
            return new Refused(ambiguous(address, live));
        }
        return new Found(unmarked.getFirst());
    }

    /** The part of an address that is looked up. */
    static String nameOf(String address) {
        int at = address.indexOf('@');
        return at < 0 ? address : address.substring(0, at);
    }

    private static String noSuchAgent(String address, List<Agent> named) {
        return named.isEmpty()
                ? "there is no agent '%s'".formatted(address)
                : "'%s' was removed and cannot be mailed".formatted(address);
    }

    private static String ambiguous(String address, List<Agent> live) {
        return "'%s' is not one agent; write %s"
                .formatted(
                        address,
                        live.stream().map(Agent::fullAddress).collect(Collectors.joining(" or ")));
    }
}
