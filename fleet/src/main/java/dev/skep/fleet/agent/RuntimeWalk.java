package dev.skep.fleet.agent;

import dev.skep.testkit.Eventually;
import dev.skep.testkit.provider.FakeProvider;
import dev.skep.testkit.provider.ProviderCall;
import dev.skep.transport.route.JsonFields;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * What one runtime does in the product, step by step. A step that fails does not keep the later
 * ones from being tried. Not thread-safe.
 */
public final class RuntimeWalk {
    /** What is looked for, in order. */
    public enum Step {
        START("starts and answers"),
        DENIED("asks, and is denied"),
        APPROVED("asks, and writes a file"),
        TOOLS("uses our tools"),
        COST("is metered to the cent"),
        CANCELLED("stops when cancelled"),
        RESUMED("goes on after kill -9"),
        REFUSED("is refused readably");

        final String means;

        Step(String means) {
            this.means = means;
        }
    }

    /**
     * What came of a step.
     *
     * @param seen what was seen, or why it did not work
     */
    public record Found(Step step, boolean works, String seen) {}

    private static final String AGENT = "dora";
    private static final Set<String> REFUSALS = Set.of("notice", "error", "turn_end");
    private static final long CALL_MICROS = 1_000 * 10 + 20 * 100;

    private interface Attempt {
        String seen() throws IOException, InterruptedException;
    }

    private final WalkedRuntime runtime;
    private final AgentHost host;
    private final FakeProvider provider;
    private final Consumer<Found> onStep;
    private final List<Found> found = new ArrayList<>();

    private RuntimeWalk(
            WalkedRuntime runtime, AgentHost host, FakeProvider provider, Consumer<Found> onStep) {
        this.runtime = runtime;
        this.host = host;
        this.provider = provider;
        this.onStep = onStep;
    }

    /** Walks on a host that has no agents yet. */
    public static List<Found> of(WalkedRuntime runtime, AgentHost host, FakeProvider provider) {
        return of(runtime, host, provider, _ -> {});
    }

    /**
     * Walks on a host that has no agents yet.
     *
     * @param onStep receives each step once it is over
     */
    public static List<Found> of(
            WalkedRuntime runtime, AgentHost host, FakeProvider provider, Consumer<Found> onStep) {
        RuntimeWalk walk = new RuntimeWalk(runtime, host, provider, onStep);
        walk.all();
        return List.copyOf(walk.found);
    }

    private void all() {
        step(Step.START, this::startsAndAnswers);
        if (!found.getFirst().works()) {
            return;
        }
        step(Step.DENIED, this::isDenied);
        step(Step.APPROVED, this::writesAFile);
        step(Step.TOOLS, this::mails);
        step(Step.COST, this::isMetered);
        step(Step.CANCELLED, this::isCancelled);
        step(Step.RESUMED, this::goesOnAfterAKill);
        step(Step.REFUSED, this::isRefused);
    }

    private void step(Step step, Attempt attempt) {
        try {
            String seen = attempt.seen();
            awaitIdle();
            found(new Found(step, true, seen));
        } catch (IOException | RuntimeException | AssertionError e) {
            found(new Found(step, false, String.valueOf(e.getMessage())));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    private void found(Found step) {
        found.add(step);
        onStep.accept(step);
    }

    private String startsAndAnswers() throws IOException, InterruptedException {
        host.newAgent(AGENT, runtime, "protection: manual\n");
        host.talk(AGENT, "Good morning.");
        Eventually.holds(
                "a call that has its instructions",
                AgentHost.PATIENCE,
                () -> provider.calls().stream().anyMatch(call -> contains(call, "Good morning.")));
        host.logged(AGENT, "an answer", line -> isReply(line, CodingModel.HELLO));
        return "answered";
    }

    private String isDenied() throws IOException, InterruptedException {
        long ends = ends();
        host.talk(AGENT, "WRITE(denied.txt)");
        JsonFields asked = host.pending(AGENT);
        host.decide(asked, "deny");
        awaitEnds(ends + 1);
        if (file("denied.txt").isPresent()) {
            throw new IllegalStateException("the file is there all the same");
        }
        return asked.shown("command");
    }

    private String writesAFile() throws IOException, InterruptedException {
        long ends = ends();
        host.talk(AGENT, "WRITE(approved.txt)");
        host.decide(host.pending(AGENT), "approve");
        Path file = Eventually.present("the file", AgentHost.PATIENCE, () -> file("approved.txt"));
        awaitEnds(ends + 1);
        String written = Files.readString(file);
        if (!written.equals(CodingModel.CONTENT)) {
            throw new IllegalStateException("the file says " + written);
        }
        host.logged(
                AGENT,
                "the end of a tool",
                line ->
                        line.type().equals("tool_result")
                                && line.detail().contains("\"completed\""));
        return "written";
    }

    private String mails() throws IOException, InterruptedException {
        long ends = ends();
        host.talk(AGENT, "MAIL(dora, to myself)");
        Eventually.holds(
                "mail", AgentHost.PATIENCE, () -> host.mailTo(AGENT).contains("to myself"));
        awaitEnds(ends + 2);
        return "sent mail, and was woken by it";
    }

    private String isMetered() {
        Eventually.holds(
                "%d calls booked at %d, not %d"
                        .formatted(provider.charged().size(), CALL_MICROS, host.spent(AGENT)),
                () -> host.spent(AGENT) == provider.charged().size() * CALL_MICROS);
        return "%d calls, %.3f dollars"
                .formatted(provider.charged().size(), host.spent(AGENT) / 1e6);
    }

    private String isCancelled() throws IOException, InterruptedException {
        long ends = ends();
        host.talk(AGENT, "WAIT()");
        Eventually.holds(
                "a call that waits",
                AgentHost.PATIENCE,
                () -> provider.calls().stream().anyMatch(call -> said(call).contains("WAIT()")));
        host.act(AGENT, "cancel", Map.of());
        if (!provider.sawHangUp()) {
            throw new IllegalStateException("the call to the model goes on");
        }
        awaitEnds(ends + 1);
        host.act(AGENT, "resume", Map.of());
        return "cancelled";
    }

    private String goesOnAfterAKill() throws IOException, InterruptedException {
        host.kill();
        host.start();
        int before = provider.calls().size();
        host.talk(AGENT, "Are you still there?");
        ProviderCall call =
                Eventually.present(
                        "an answer after the restart",
                        AgentHost.PATIENCE,
                        () ->
                                provider.calls().stream()
                                        .skip(before)
                                        // One without tools only looks for a title.
                                        .filter(each -> contains(each, "Are you still there?"))
                                        .findFirst());
        return call.text().contains("approved.txt") ? "knows what was before" : "starts anew";
    }

    private String isRefused() throws IOException, InterruptedException {
        host.change(AGENT, "spend_limit: 0.01\n");
        int before = provider.charged().size();
        host.talk(AGENT, "Good evening.");
        AgentHost.Line line =
                host.logged(
                        AGENT,
                        "a refusal",
                        each -> REFUSALS.contains(each.type()) && each.message().contains("$0.01"));
        if (provider.charged().size() != before) {
            throw new IllegalStateException("the model was asked all the same");
        }
        return line.message();
    }

    private static boolean contains(ProviderCall call, String text) {
        return said(call).contains(text) && !ModelTurn.of(call).tools().isEmpty();
    }

    private static String said(ProviderCall call) {
        return call.wire() == null ? "" : ModelTurn.of(call).said();
    }

    /** How many turns have ended. */
    private long ends() {
        return host.log(AGENT).stream().filter(line -> line.type().equals("turn_end")).count();
    }

    /** Until no turn is under way: mail that it sends itself wakes it once more. */
    private void awaitIdle() {
        Eventually.holds(
                "no turn under way",
                AgentHost.PATIENCE,
                () ->
                        host.log(AGENT).stream()
                                        .filter(line -> line.type().equals("prompt"))
                                        .count()
                                == ends());
    }

    private void awaitEnds(long wanted) {
        Eventually.holds("the end of a turn", AgentHost.PATIENCE, () -> ends() >= wanted);
    }

    private static boolean isReply(AgentHost.Line line, String text) {
        return line.type().equals("reply") && line.message().contains(text);
    }

    private Optional<Path> file(String name) throws IOException {
        try (Stream<Path> files = Files.walk(host.dataDir().resolve("work"))) {
            return files.filter(file -> file.endsWith(name)).findFirst();
        }
    }
}
