package dev.skep.worker;

import dev.skep.dispatch.DispatchTestHub;
import dev.skep.dispatch.queue.QueueSettings;
import dev.skep.kernel.consent.HubConsent;
import dev.skep.shell.SandboxedCommands;
import dev.skep.shell.redact.Redactor;
import dev.skep.testkit.hub.PlainLinks;
import dev.skep.transport.call.CallClient;
import java.net.http.HttpClient;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/**
 * A process to be killed: {@code hub FOLDER PORT REDIS}, or {@code runner FOLDER URL HOST}, whose
 * jobs run in {@code home} of the folder.
 */
public final class KillableNode {
    /** Short, so that what a kill took comes back while the test waits. */
    private static final QueueSettings LEASES =
            new QueueSettings(Duration.ofSeconds(6), Duration.ofSeconds(5));

    private KillableNode() {}

    public static void main(String[] arguments) throws InterruptedException {
        Path folder = Path.of(arguments[1]);
        if (arguments[0].equals("hub")) {
            int port = Integer.parseInt(arguments[2]);
            Optional<String> redis = Optional.of(arguments[3]);
            System.out.println("hub " + new DispatchTestHub(folder, port, redis, LEASES).url());
        } else {
            work(folder, arguments[2], "host:default:" + arguments[3]);
            System.out.println("runner");
        }
        Thread.currentThread().join();
    }

    private static void work(Path folder, String url, String ticket) {
        HttpClient client = HttpClient.newHttpClient();
        CallClient calls = new CallClient();
        HttpHubTransport http = new HttpHubTransport(client, url, () -> ticket);
        PlainLinks.dialer(url, ticket, calls).start();
        SandboxedCommands commands = WorkerFixture.commands(folder);
        HostRules rules = WorkerFixture.rules(folder, commands);
        ServerInstances serverInstances =
                new ServerInstances(
                        folder.resolve("servers"), rules, commands, InstantSource.system());
        serverInstances.start();
        new JobWorker(
                        new HubDispatchClient(
                                url, List.of(calls, http), UUID.randomUUID().toString()),
                        HubConsent.toAll("hub"),
                        new JobWorker.Parts(
                                "0.1.0",
                                List.of(
                                        new ShellJob(rules, commands),
                                        new ServerJob(serverInstances, rules)),
                                new HostSlots(4),
                                Map::of,
                                serverInstances::states,
                                new Redactor(List.of())))
                .start();
    }
}
