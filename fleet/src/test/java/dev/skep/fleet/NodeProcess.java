package dev.skep.fleet;

import java.nio.file.Path;

/**
 * A hub or a runner as a process to be killed. A runner writes mail and log lines without end and
 * says which it was told are stored: {@code mail ID}, {@code log ID}.
 */
final class NodeProcess {
    private NodeProcess() {}

    public static void main(String[] arguments) throws InterruptedException {
        Path dataDir = Path.of(arguments[1]);
        if (arguments[0].equals("hub")) {
            HubNode hub = HubNode.open(dataDir, Integer.parseInt(arguments[2]));
            System.out.println("hub " + hub.url);
            Thread.currentThread().join();
        }
        RunnerNode runner =
                RunnerNode.open(dataDir, String.valueOf(dataDir.getFileName()), arguments[2]);
        System.out.println("runner " + runner.id());
        for (int i = 0; ; i++) {
            System.out.println("mail " + runner.tables.mail("number " + i));
            System.out.println("log " + runner.tables.log("line " + i));
            Thread.sleep(2);
        }
    }
}
