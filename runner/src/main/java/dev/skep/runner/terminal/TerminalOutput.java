package dev.skep.runner.terminal;

import dev.skep.agents.Agent;
import dev.skep.agents.AgentStatus;
import dev.skep.agents.session.LogEntry;
import dev.skep.kernel.id.AgentId;
import dev.skep.kernel.lifecycle.Component;
import dev.skep.runner.loop.AgentListener;
import dev.skep.transport.route.Json;
import dev.skep.transport.route.JsonFields;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Prints what agents do. A terminal that does not keep up loses lines, and shows how many; it never
 * delays an agent.
 */
public final class TerminalOutput implements AgentListener, Component {
    private static final int WAITING_LINES = 10_000;
    private static final int OUTPUT_LINES = 12;
    private static final Duration LAST_WORDS = Duration.ofMillis(500);

    private final PrintWriter out;
    private final TerminalStyle style;
    private final boolean quiet;
    private final BlockingQueue<String> lines = new ArrayBlockingQueue<>(WAITING_LINES);
    private final AtomicLong lost = new AtomicLong();

    /** What an agent that keeps retrying was last shown to wait for. */
    private final Map<AgentId, String> backingOff = new ConcurrentHashMap<>();

    private volatile @Nullable String focus;
    private volatile int width = 8;
    private @Nullable Thread printer;

    /**
     * A stream that has not begun.
     *
     * @param quiet for services: only errors and what needs a person
     */
    public TerminalOutput(PrintWriter out, boolean colours, boolean quiet) {
        this.out = out;
        this.style = new TerminalStyle(colours);
        this.quiet = quiet;
    }

    /** Prints from here on; what came before waits, so that others can have the first word. */
    @Override
    public void start() {
        printer = Thread.ofPlatform().daemon().name("terminal").start(this::print);
    }

    /** Shows one agent only, and all of it; null shows all agents, shortened. */
    void focus(@Nullable String username) {
        focus = username;
    }

    @Nullable String focus() {
        return focus;
    }

    TerminalStyle style() {
        return style;
    }

    @Override
    public void logged(Agent agent, LogEntry entry) {
        if (entry.type() != LogEntry.Type.ERROR) {
            backingOff.remove(agent.id());
        }
        if (quiet && entry.type() != LogEntry.Type.ERROR) {
            return;
        }
        Optional<JsonFields> detail = Json.fieldsIfObject(entry.detail());
        List<LogText.Shown> text =
                LogText.of(entry.type().name().toLowerCase(Locale.ROOT), entry.message(), detail);
        switch (entry.type()) {
            case OUTPUT, TOOL_RESULT, THOUGHT -> showShortened(agent, text, entry.type());
            case PROMPT -> showNews(agent, entry.message());
            case INSTRUCTIONS -> {}
            default -> text.forEach(line -> show(agent, line));
        }
    }

    private void show(Agent agent, LogText.Shown line) {
        show(
                agent,
                line.text(),
                switch (line.look()) {
                    case PLAIN -> UnaryOperator.identity();
                    case BOLD -> style::bold;
                    case FAINT -> style::faint;
                    case ALARM -> style::alarm;
                    case ADDED -> style::added;
                    case REMOVED -> style::removed;
                });
    }

    /** The turn's own line is noise here; what is new in it is not. */
    private void showNews(Agent agent, String prompt) {
        int news = prompt.indexOf('\n');
        if (news >= 0) {
            show(agent, prompt.substring(news + 1), style::faint);
        }
    }

    /** Thoughts are folded to their first line, output to its beginning. */
    private void showShortened(Agent agent, List<LogText.Shown> all, LogEntry.Type type) {
        int most = type == LogEntry.Type.THOUGHT ? 1 : OUTPUT_LINES;
        if (agent.username().equals(focus) || all.size() <= most) {
            all.forEach(line -> show(agent, line));
            return;
        }
        int shown = Math.max(1, most - 2);
        all.subList(0, shown).forEach(line -> show(agent, line));
        show(
                agent,
                "… %d more lines; /focus %s shows all"
                        .formatted(all.size() - shown, agent.username()),
                style::faint);
    }

    @Override
    public void changed(Agent agent, AgentStatus status, String why) {
        String text = status.stored().replace('_', ' ') + (why.isEmpty() ? "" : ": " + why);
        switch (status) {
            case ACTIVE -> {}
            case BACKING_OFF -> {
                if (!text.equals(backingOff.put(agent.id(), text))) {
                    show(agent, "· " + text, style::faint);
                }
            }
            case AWAITING_APPROVAL ->
                    showAlways(
                            agent,
                            "? wants to run: " + why + "   (/approve or /deny)",
                            style::alarm);
            case FAILED, OVER_BUDGET -> showAlways(agent, "! " + text, style::alarm);
            case PAUSED, HELD -> show(agent, "· " + text, style::faint);
            case WAITING, STOPPED -> {
                backingOff.remove(agent.id());
                if (!quiet) {
                    show(agent, "· " + text, style::faint);
                }
            }
        }
    }

    @Override
    public void nameTaken(Agent agent, String words) {
        showAlways(agent, "! " + words, style::alarm);
    }

    @Override
    public void told(String line) {
        tell(style.alarm("! " + line));
    }

    private void show(Agent agent, String text, UnaryOperator<String> look) {
        String only = focus;
        if (only == null || only.equals(agent.username())) {
            showAlways(agent, text, look);
        }
    }

    private void showAlways(Agent agent, String text, UnaryOperator<String> look) {
        width = Math.max(width, agent.username().length());
        String name = style.name(agent.username(), width);
        text.lines()
                .filter(line -> !line.isEmpty())
                .forEach(line -> tell(name + " " + look.apply(line)));
    }

    /** Prints a line of the prompt's own. */
    void tell(String line) {
        if (!lines.offer(printable(line))) {
            lost.incrementAndGet();
        }
    }

    /** What an agent prints must not steer the terminal; only our own colours may. */
    private String printable(String line) {
        StringBuilder clean = new StringBuilder(line.length());
        for (int i = 0; i < line.length(); i++) {
            char c = line.charAt(i);
            boolean ours =
                    c == '\033'
                            && style.colours()
                            && line.startsWith("[", i + 1)
                            && isColour(line, i + 2);
            clean.append(ours || c == '\t' || !Character.isISOControl(c) ? c : '\ufffd');
        }
        return clean.toString();
    }

    private static boolean isColour(String line, int at) {
        int end = at;
        while (end < line.length() && Character.isDigit(line.charAt(end))) {
            end++;
        }
        return end < line.length() && line.charAt(end) == 'm';
    }

    private void print() {
        try {
            while (true) {
                print(lines.take());
                if (lines.isEmpty()) {
                    out.flush();
                }
            }
        } catch (InterruptedException e) {
            // The last words, such as that an agent has stopped.
            for (String line = lines.poll(); line != null; line = lines.poll()) {
                print(line);
            }
            out.flush();
        }
    }

    private void print(String line) {
        out.println(line);
        long missing = lost.getAndSet(0);
        if (missing > 0) {
            out.println(style.faint("… %,d lines not shown".formatted(missing)));
        }
    }

    @Override
    public void close() {
        if (printer != null) {
            printer.interrupt();
            try {
                // A terminal that is stuck must not hold the shutdown up.
                printer.join(LAST_WORDS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
