package dev.skep.app.assembly;

import dev.skep.cli.config.Configuration;
import dev.skep.kernel.error.ErrorCode;
import dev.skep.kernel.error.SkepException;
import dev.skep.transport.http.ListenerConfig;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.net.URI;
import java.util.Optional;
import java.util.stream.Stream;

/** The address to give to people and to other machines. */
final class PublicUrl {
    private PublicUrl() {}

    static String of(Configuration configuration, int port) {
        return configuration
                .listen()
                .publicUrl()
                .map(URI::toString)
                .orElseGet(() -> of(configuration.listener(), port));
    }

    private static String of(ListenerConfig listener, int port) {
        String host =
                listener.names().stream().sorted().findFirst().orElseGet(() -> address(listener));
        return (listener.tls().isPresent() ? "https://" : "http://") + host + ":" + port;
    }

    private static String address(ListenerConfig listener) {
        boolean any = listener.address().equals("0.0.0.0") || listener.address().equals("[::]");
        return any ? ofThisMachine().orElse("127.0.0.1") : listener.address();
    }

    private static Optional<String> ofThisMachine() {
        try (Stream<NetworkInterface> interfaces = NetworkInterface.networkInterfaces()) {
            return interfaces
                    .flatMap(NetworkInterface::inetAddresses)
                    .filter(Inet4Address.class::isInstance)
                    .filter(address -> !address.isLoopbackAddress())
                    .map(InetAddress::getHostAddress)
                    .findFirst();
        } catch (SocketException e) {
            throw new SkepException(
                    ErrorCode.INTERNAL, "the network interfaces cannot be listed", e);
        }
    }
}
