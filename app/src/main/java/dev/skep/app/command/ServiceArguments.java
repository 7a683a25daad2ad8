package dev.skep.app.command;

import dev.skep.app.assembly.Composition;
import dev.skep.cli.command.CommandContext;
import dev.skep.cli.config.Setting;
import dev.skep.runner.terminal.Terminal;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The command line of a service, read without picocli. Only what is certain is read here; for
 * anything else picocli has the help and the errors.
 */
record ServiceArguments(String command, Set<String> switches, Map<Setting, String> given) {
    private static final Map<String, Set<String>> SWITCHES =
            Map.of(
                    "hub", Set.of("--supervisor"),
                    "run", Set.of("--hub", "--supervisor", "--quiet"),
                    "up", Set.of("--quiet"));

    /** Empty if it is no service, or not certain. */
    static Optional<ServiceArguments> read(String... arguments) {
        List<String> words = List.of(arguments);
        if (words.isEmpty() || !SWITCHES.containsKey(words.getFirst())) {
            return Optional.empty();
        }
        var serviceArguments =
                new ServiceArguments(
                        words.getFirst(), new HashSet<>(), new EnumMap<>(Setting.class));
        Iterator<String> rest = words.subList(1, words.size()).iterator();
        while (rest.hasNext()) {
            if (!serviceArguments.take(rest.next(), rest)) {
                return Optional.empty();
            }
        }
        return Optional.of(serviceArguments);
    }

    private boolean take(String word, Iterator<String> rest) {
        if (SWITCHES.getOrDefault(command, Set.of()).contains(word)) {
            return switches.add(word);
        }
        int equals = word.indexOf('=');
        String flag = equals < 0 ? word : word.substring(0, equals);
        Optional<Setting> setting = setting(flag);
        if (setting.isEmpty()) {
            return false;
        }
        String value;
        if (equals >= 0) {
            value = word.substring(equals + 1);
        } else if (!setting.get().isSwitch() && rest.hasNext()) {
            value = rest.next();
        } else {
            return false;
        }
        return isPlain(value) && given.put(setting.get(), value) == null;
    }

    private static Optional<Setting> setting(String flag) {
        return Arrays.stream(Setting.values())
                .filter(each -> !flag.isEmpty() && each.flag().equals(flag))
                .findFirst();
    }

    /** Neither a flag nor a file of arguments, nor quoted. */
    private static boolean isPlain(String value) {
        return !value.isEmpty() && "-@\"'".indexOf(value.charAt(0)) < 0;
    }

    int run(CommandContext context) {
        var errorPrinter = new ErrorPrinter(context);
        try {
            return switch (command) {
                case "hub" ->
                        ServiceCommand.run(
                                context,
                                given,
                                Composition.hubOnly(is("--supervisor")),
                                Terminal.none());
                case "run" -> agents(context, Composition.run(is("--hub"), is("--supervisor")));
                default -> agents(context, Composition.UP);
            };
        } catch (Exception failure) {
            return errorPrinter.failed(failure);
        } catch (Error failure) {
            return errorPrinter.unexpected(failure);
        } finally {
            context.out().flush();
            context.err().flush();
        }
    }

    private int agents(CommandContext context, Composition parts) throws InterruptedException {
        return ServiceCommand.run(
                context, given, parts, TerminalFlags.open(context, is("--quiet")));
    }

    private boolean is(String name) {
        return switches.contains(name);
    }
}
