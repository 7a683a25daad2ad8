package dev.skep.registry.proxy;

import dev.skep.registry.node.RegistryConnection;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Decides where a node may be dialled, so that a registration with another machine's address cannot
 * turn the proxy into a way into the network: only where the registering peer itself came from, or
 * what the operator allowed.
 */
public final class NodeAddressPolicy {
    private final Set<String> ownNames;
    private final Set<String> allowed;
    private final Resolver resolver;

    /** Looks names up. */
    @FunctionalInterface
    public interface Resolver {
        InetAddress[] addressesOf(String name) throws UnknownHostException;
    }

    /** Where to dial, or why not. */
    public sealed interface Decision {
        record Dial(InetSocketAddress address) implements Decision {}

        record Refused(String error) implements Decision {}
    }

    /**
     * Names are compared without case.
     *
     * @param ownNames what this machine is called
     * @param allowed machines that may be dialled wherever the registration came from, by name or
     *     address
     */
    public NodeAddressPolicy(Set<String> ownNames, Set<String> allowed, Resolver resolver) {
        this.ownNames = lower(ownNames);
        this.allowed = lower(allowed);
        this.resolver = resolver;
    }

    /** Where to dial the node that a peer registered with this machine and port. */
    public Decision decide(String machine, int port, RegistryConnection registeredBy) {
        if (machine.isBlank()) {
            return new Decision.Refused("Cannot resolve agent address");
        }
        List<InetAddress> named;
        try {
            named = addresses(machine.toLowerCase(Locale.ROOT));
        } catch (UnknownHostException e) {
            return new Decision.Refused("Cannot resolve agent: unknown host " + machine);
        }
        InetAddress peer = InetAddress.ofLiteral(withoutScope(registeredBy.address()));
        for (InetAddress address : named) {
            if (isAllowed(machine, address, peer, registeredBy.here())) {
                return new Decision.Dial(new InetSocketAddress(address, port));
            }
        }
        return new Decision.Refused(
                named.isEmpty()
                        ? "Cannot resolve agent address"
                        : "Cannot reach agent: it did not register from its machine's address");
    }

    private List<InetAddress> addresses(String machine) throws UnknownHostException {
        boolean isThisOne = ownNames.contains(machine) || machine.equals("localhost");
        return isThisOne
                ? List.of(InetAddress.ofLiteral("127.0.0.1"), InetAddress.ofLiteral("::1"))
                : List.of(resolver.addressesOf(machine));
    }

    private boolean isAllowed(
            String machine, InetAddress address, InetAddress peer, boolean peerIsHere) {
        return (address.isLoopbackAddress() && peerIsHere)
                || (address.equals(peer) && !address.isLoopbackAddress())
                || allowed.contains(machine.toLowerCase(Locale.ROOT))
                || allowed.contains(address.getHostAddress());
    }

    private static String withoutScope(String address) {
        int scope = address.indexOf('%');
        return scope < 0 ? address : address.substring(0, scope);
    }

    private static Set<String> lower(Set<String> names) {
        return names.stream()
                .map(name -> name.toLowerCase(Locale.ROOT))
                .collect(Collectors.toUnmodifiableSet());
    }
}
