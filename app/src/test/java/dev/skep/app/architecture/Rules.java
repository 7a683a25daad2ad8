package dev.skep.app.architecture;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.AccessTarget.CodeUnitCallTarget;
import com.tngtech.archunit.core.domain.JavaCall;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaConstructorCall;
import com.tngtech.archunit.lang.ArchRule;
import dev.skep.kernel.lifecycle.Component;
import java.time.Clock;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Set;

/** The rules themselves, apart from what they are applied to. */
final class Rules {
    private Rules() {}

    /** Where a library may be used; a new library gets a line here. */
    record Home(List<String> libraries, List<String> packages) {}

    static final List<Home> HOMES =
            List.of(
                    new Home(
                            List.of(
                                    "java.sql..",
                                    "javax.sql..",
                                    "org.sqlite..",
                                    "org.postgresql..",
                                    "com.zaxxer.hikari.."),
                            List.of("dev.skep.store..")),
                    new Home(List.of("com.github.f4b6a3.."), List.of("dev.skep.kernel.id..")),
                    new Home(
                            List.of("tools.jackson..", "com.fasterxml.jackson.."),
                            List.of(
                                    "dev.skep.wire..",
                                    "dev.skep.registry.wire..",
                                    "dev.skep.runner.acp..",
                                    "dev.skep.runner.mcp..",
                                    "dev.skep.transport.route..",
                                    "dev.skep.models.provider..",
                                    "dev.skep.models.gateway..")),
                    new Home(
                            List.of("io.javalin..", "org.eclipse.jetty.."),
                            List.of("dev.skep.transport..")),
                    new Home(List.of("com.nimbusds.."), List.of("dev.skep.directory..")),
                    new Home(List.of("org.bouncycastle.."), List.of("dev.skep.directory.secret..")),
                    new Home(
                            List.of("io.micrometer.."),
                            List.of(
                                    "dev.skep.transport.http..",
                                    "dev.skep.registry.routes..",
                                    "dev.skep.sync.module..",
                                    "dev.skep.dispatch.assembly..",
                                    "dev.skep.app.assembly..")),
                    new Home(List.of("io.lettuce.."), List.of("dev.skep.dispatch..")),
                    new Home(List.of("dev.langchain4j.."), List.of("dev.skep.models..")),
                    new Home(
                            List.of("picocli.."),
                            List.of("dev.skep.cli.command..", "dev.skep.app.command..")),
                    new Home(List.of("ch.qos.logback.."), List.of("dev.skep.app.log..")));

    private static final Set<String> FEATURES = Set.of("agents", "sync", "registry", "dispatch");
    private static final Set<String> TOOLS = Set.of("kernel", "transport");

    static ArchRule only(Home home) {
        return noClasses()
                .that()
                .resideOutsideOfPackages(home.packages().toArray(String[]::new))
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(home.libraries().toArray(String[]::new))
                .because("their home is " + home.packages());
    }

    static ArchRule packagesFormNoCycles() {
        return slices().matching("dev.skep.(**)").should().beFreeOfCycles();
    }

    static ArchRule nobodyAsksTheMachineForTheTime() {
        return noClasses()
                .that()
                .doNotHaveFullyQualifiedName("dev.skep.app.assembly.SystemTime")
                .should()
                .callCodeUnitWhere(describe("it reads the system clock", Rules::readsSystemClock))
                .because("time is given as an InstantSource");
    }

    static ArchRule featuresStayApart() {
        DescribedPredicate<JavaClass> feature =
                describe("a feature", type -> FEATURES.contains(module(type)));
        return slices().matching("dev.skep.(*)..")
                .that(describe("are features", slice -> slice.stream().anyMatch(feature)))
                .should()
                .notDependOnEachOther();
    }

    static ArchRule componentsAreMadeByTheAppOnly() {
        return noClasses()
                .that()
                .resideOutsideOfPackage("dev.skep.app..")
                .should()
                .callConstructorWhere(
                        describe(
                                "it makes another module's component",
                                Rules::makesForeignComponent))
                .because("only the app composes modules");
    }

    /**
     * Classes whose files may be lost in a power cut: logs, locks, pipes, and what is made anew at
     * the next start. All other files go through DurableFiles.
     */
    private static final Set<String> MAY_LOSE_FILES =
            Set.of(
                    "dev.skep.app.command.TrainCommand",
                    "dev.skep.app.demo.Demo",
                    "dev.skep.app.demo.DemoProcess",
                    "dev.skep.app.log.StackTraceLog",
                    "dev.skep.app.retention.LogFileTrimmer",
                    "dev.skep.shell.ShellProcess",
                    "dev.skep.store.engine.DatabaseFileLock",
                    "dev.skep.store.engine.SqliteLibrary");

    static ArchRule filesAreWrittenInOnePlace() {
        return noClasses()
                .that()
                .resideOutsideOfPackage("dev.skep.store.file..")
                .and(
                        describe(
                                "must not lose files",
                                type -> !MAY_LOSE_FILES.contains(type.getName())))
                .should()
                .callCodeUnitWhere(describe("it writes a file", Rules::writesFile))
                .because("DurableFiles writes files that survive a power cut");
    }

    private static boolean writesFile(JavaCall<?> call) {
        String owner = call.getTarget().getOwner().getName();
        String name = call.getTarget().getName();
        return switch (owner) {
            case "java.nio.file.Files" ->
                    Set.of(
                                    "write",
                                    "writeString",
                                    "newBufferedWriter",
                                    "newOutputStream",
                                    "newByteChannel",
                                    "move",
                                    "copy",
                                    "createFile")
                            .contains(name);
            case "java.nio.channels.FileChannel" -> name.equals("open");
            case "java.io.FileOutputStream", "java.io.FileWriter" -> name.equals("<init>");
            default -> false;
        };
    }

    private static boolean readsSystemClock(JavaCall<?> call) {
        CodeUnitCallTarget target = call.getTarget();
        String owner = target.getOwner().getName();
        String name = target.getName();
        boolean takesNothing = target.getRawParameterTypes().isEmpty();
        return switch (name) {
            case "now" -> owner.startsWith("java.time.") && takesNothing;
            case "currentTimeMillis" -> owner.equals(System.class.getName());
            case "system", "systemUTC", "systemDefaultZone" ->
                    Set.of(
                                    Clock.class.getName(),
                                    InstantSource.class.getName(),
                                    Instant.class.getName())
                            .contains(owner);
            case "<init>" -> owner.equals("java.util.Date") && takesNothing;
            default -> false;
        };
    }

    /**
     * What kernel and transport have, a periodic task or the sockets of a listener, is everybody's
     * tool and no part of a composition.
     */
    private static boolean makesForeignComponent(JavaConstructorCall call) {
        JavaClass made = call.getTargetOwner();
        return made.isAssignableTo(Component.class)
                && !TOOLS.contains(module(made))
                && !module(made).equals(module(call.getOriginOwner()));
    }

    private static String module(JavaClass type) {
        String[] names = type.getPackageName().split("\\.", -1);
        return names.length > 2 ? names[2] : "";
    }
}
