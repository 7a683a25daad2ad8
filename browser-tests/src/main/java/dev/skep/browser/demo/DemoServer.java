package dev.skep.browser.demo;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Random;
import java.util.concurrent.TimeUnit;

/** Runs the made-up fleet until it is stopped, to work on the pages: port, hosts, agents. */
public final class DemoServer {
    private DemoServer() {}

    public static void main(String[] arguments) throws IOException, InterruptedException {
        int port = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 4281;
        int hosts = arguments.length > 1 ? Integer.parseInt(arguments[1]) : 48;
        int agents = arguments.length > 2 ? Integer.parseInt(arguments[2]) : 60;
        Path folder = Files.createTempDirectory("skep-demo");
        try (var fleet =
                new DemoFleet(
                        folder,
                        new DemoFleet.Size(hosts, agents, 420, port),
                        InstantSource.system())) {
            System.err.println(fleet.url() + "/sign-in#once");
            Random random = new Random();
            for (int turn = 40; ; turn++) {
                TimeUnit.SECONDS.sleep(1);
                fleet.beat(Math.max(4, hosts / 10));
                if (agents > 0) {
                    var agent = fleet.agents().get(random.nextInt(agents));
                    fleet.say(agent, fleet.sessionOf(agent), DemoTurn.of(random.nextInt(20), turn));
                }
            }
        }
    }
}
