package dev.skep.runner.managed;

import dev.skep.runner.acp.AcpConnection;
import dev.skep.runner.acp.AcpException;
import dev.skep.runner.acp.OpenedSession;
import dev.skep.runner.loop.LogEntryDraft;
import java.util.List;
import java.util.Optional;

/** Chooses the mode and the model of a session that was just opened. */
final class SessionConfigurator {
    private SessionConfigurator() {}

    static void make(
            AcpConnection connection, OpenedSession session, ManagedSetup setup, ManagedLog log)
            throws AcpException, InterruptedException {
        boolean asking = setup.launch().asking();
        Optional<String> mode = setup.runtime().mode(asking);
        if (mode.isPresent() && !mode.get().equals(session.mode())) {
            choose(connection, session, mode.get(), setup, log);
        }
        String model = setup.source().content().model();
        if (model != null && !model.equals(session.model()) && offers(session.models(), model)) {
            connection.setModel(session.sessionId(), model);
        }
    }

    private static void choose(
            AcpConnection connection,
            OpenedSession session,
            String mode,
            ManagedSetup setup,
            ManagedLog log)
            throws AcpException, InterruptedException {
        if (offers(session.modes(), mode)) {
            connection.setMode(session.sessionId(), mode);
            return;
        }
        Optional<OpenedSession.ConfigOption> option =
                session.options().stream()
                        .filter(each -> each.category().equals("mode"))
                        .filter(each -> offers(each.choices(), mode))
                        .findFirst();
        if (option.isPresent()) {
            if (!option.get().value().equals(mode)) {
                connection.setOption(session.sessionId(), option.get(), mode);
            }
        } else if (setup.launch().asking()) {
            log.write(
                    LogEntryDraft.notice(
                            "%s offers no mode '%s', so it may not ask before it changes something"
                                    .formatted(setup.runtime().name(), mode)));
        }
    }

    private static boolean offers(List<OpenedSession.Choice> choices, String id) {
        return choices.stream().anyMatch(choice -> choice.id().equals(id));
    }
}
