package dev.skep.benchmark.runner;

import dev.skep.models.CommandCall;
import dev.skep.models.Model;
import dev.skep.models.ModelCard;
import dev.skep.models.ModelListener;
import dev.skep.models.ModelReply;
import dev.skep.models.ModelRequest;
import dev.skep.models.Models;
import dev.skep.models.Prices;
import dev.skep.models.Usage;
import dev.skep.runner.loop.AgentListener;
import dev.skep.shell.BashShells;
import dev.skep.shell.Programs;
import dev.skep.shell.Shell;
import dev.skep.shell.ShellOutcome;
import dev.skep.shell.ShellSettings;
import dev.skep.shell.Shells;
import java.io.IOException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;

/** The time from a model's reply to the next question, less the time the command took. */
final class TurnOverhead implements Models {
    private final int turns;
    private final double[] overheads;
    private final AtomicLong inShell = new AtomicLong();
    private final CountDownLatch done = new CountDownLatch(1);
    private int turn = -1;
    private long answeredAt;

    private TurnOverhead(int turns) {
        this.turns = turns;
        this.overheads = new double[turns];
    }

    /** The median of so many turns, in milliseconds. */
    static double medianMillis(Path folder, int turns) throws IOException, InterruptedException {
        var measuring = new TurnOverhead(turns);
        LoadedRunner.writeAgents(folder, 1, "prompt: Count.\nmodel: measuring\n");
        Shells bash = BashShells.trusted(Map.of("PATH", System.getenv("PATH")), new SecureRandom());
        try (var loaded =
                new LoadedRunner(folder, measuring, measuring.timed(bash), AgentListener.NOBODY)) {
            loaded.runner.start();
            measuring.done.await();
        }
        // The first half warms the JVM up.
        double[] measured = Arrays.copyOfRange(measuring.overheads, turns / 2, turns);
        Arrays.sort(measured);
        return measured[measured.length / 2];
    }

    private ModelReply ask() {
        long now = System.nanoTime();
        if (turn >= 0 && turn < turns) {
            overheads[turn] = (now - answeredAt - inShell.getAndSet(0)) / 1e6;
        }
        turn++;
        if (turn == turns) {
            done.countDown();
        }
        List<CommandCall> commands =
                List.of(new CommandCall("c", turn < turns ? ": " + turn : "session wait"));
        answeredAt = System.nanoTime();
        return new ModelReply.Answered(
                "", commands, null, ModelReply.Stop.DONE, new Usage(100, 10, 0, 0));
    }

    @Override
    public List<ModelCard> cards() {
        return List.of(card());
    }

    private static ModelCard card() {
        return new ModelCard("measuring", "benchmark", 1_000_000, Prices.FREE);
    }

    @Override
    public Opening open(String name, Path folder) {
        return new Opening.Ready(
                new Model() {
                    @Override
                    public ModelCard card() {
                        return TurnOverhead.card();
                    }

                    @Override
                    public ModelReply ask(ModelRequest request, ModelListener listener) {
                        return TurnOverhead.this.ask();
                    }
                });
    }

    @Override
    public void close() {}

    private Shells timed(Shells shells) {
        return new Shells() {
            @Override
            public Shell open(ShellSettings settings) {
                return new Timed(shells.open(settings), inShell);
            }

            @Override
            public Programs programs() {
                return shells.programs();
            }

            @Override
            public String isolation() {
                return shells.isolation();
            }
        };
    }

    /** Adds up the time its commands take. */
    private record Timed(Shell shell, AtomicLong nanos) implements Shell {
        @Override
        public ShellOutcome run(String command, Duration timeout) throws InterruptedException {
            long begin = System.nanoTime();
            try {
                return shell.run(command, timeout);
            } finally {
                nanos.addAndGet(System.nanoTime() - begin);
            }
        }

        @Override
        public ShellOutcome await(Duration timeout) throws InterruptedException {
            return shell.await(timeout);
        }

        @Override
        public ShellOutcome type(String text, Duration timeout) throws InterruptedException {
            return shell.type(text, timeout);
        }

        @Override
        public ShellOutcome kill() throws InterruptedException {
            return shell.kill();
        }

        @Override
        public boolean busy() {
            return shell.busy();
        }

        @Override
        public String cwd() {
            return shell.cwd();
        }

        @Override
        public void close() {
            shell.close();
        }
    }
}
