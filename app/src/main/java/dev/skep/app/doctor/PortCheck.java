package dev.skep.app.doctor;

import dev.skep.cli.config.Configuration;
import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;

/** Whether the listener and the registry can have their ports, or have them. */
final class PortCheck implements Check {
    private static final String CHECK = "port";

    private final Configuration configuration;
    private final RunningProcess running;

    PortCheck(Configuration configuration, RunningProcess running) {
        this.configuration = configuration;
        this.running = running;
    }

    @Override
    public List<Finding> findings() {
        List<Finding> found = new ArrayList<>();
        String address = configuration.listen().address();
        int port = configuration.listen().port();
        found.add(
                running.url()
                        .map(url -> Finding.ok(CHECK, "this data dir's process answers at " + url))
                        .orElseGet(() -> listener(address, port)));
        configuration.registry().port().ifPresent(registry -> found.add(registry(registry)));
        return found;
    }

    private static Finding listener(String address, int port) {
        String where = address + ":" + port;
        return switch (tried(address, port)) {
            case FREE -> Finding.ok(CHECK, where + " is free");
            case TAKEN ->
                    Finding.problem(
                            CHECK,
                            where + " is in use by another program",
                            "stop it or choose another port with --listen");
            case REFUSED ->
                    Finding.problem(
                            CHECK,
                            "this user may not listen on " + where,
                            "use an address of this machine and a port from 1024, with --listen");
        };
    }

    private Finding registry(int port) {
        String where = "127.0.0.1:" + port + " for nodes";
        boolean free = tried("127.0.0.1", port) == PortState.FREE;
        if (free) {
            return Finding.ok(
                    CHECK, where + (running.runs() ? " is free: no registry listens" : " is free"));
        }
        if (running.runs()) {
            return Finding.ok(CHECK, where + " is in use, as it is when the process has it");
        }
        String fix = "stop what listens there or choose another with --registry-port";
        String says = where + " is in use by another program";
        return configuration.registry().portIsChosen()
                ? Finding.problem(CHECK, says, fix)
                : Finding.warning(CHECK, says + ": nodes cannot register there", fix);
    }

    private enum PortState {
        FREE,
        TAKEN,
        REFUSED
    }

    private static PortState tried(String address, int port) {
        try (var socket = new ServerSocket()) {
            // As a server does: a port in TIME_WAIT is free.
            socket.setReuseAddress(true);
            String bare = address.replaceAll("[\\[\\]]", "");
            socket.bind(new InetSocketAddress(InetAddress.getByName(bare), port));
            return PortState.FREE;
        } catch (BindException e) {
            return String.valueOf(e.getMessage()).contains("in use")
                    ? PortState.TAKEN
                    : PortState.REFUSED;
        } catch (IOException e) {
            return PortState.REFUSED;
        }
    }
}
