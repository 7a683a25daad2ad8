package dev.skep.app.architecture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Named.named;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchRule;
import dev.skep.agents.fixture.Mailbox;
import dev.skep.sync.fixture.Meddler;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ArchitectureTest {
    private static final JavaClasses SHIPPED =
            new ClassFileImporter()
                    .withImportOption(new ImportOption.DoNotIncludeTests())
                    .withImportOption(location -> !location.contains("-tests.jar"))
                    .withImportOption(location -> !location.contains("/dev/skep/testkit/"))
                    .importPackages("dev.skep");
    private static final JavaClasses WRONG =
            new ClassFileImporter().importClasses(Meddler.class, Mailbox.class);

    static Stream<Named<ArchRule>> rules() {
        return Stream.concat(
                Rules.HOMES.stream()
                        .map(home -> named(home.libraries().getFirst(), Rules.only(home))),
                Stream.of(
                        named("no cycles", Rules.packagesFormNoCycles()),
                        named("no clock", Rules.nobodyAsksTheMachineForTheTime()),
                        named("durable files", Rules.filesAreWrittenInOnePlace()),
                        named("features apart", Rules.featuresStayApart()),
                        named("one composer", Rules.componentsAreMadeByTheAppOnly())));
    }

    @ParameterizedTest
    @MethodSource("rules")
    void what_ships_keeps_the_rule(ArchRule rule) {
        rule.allowEmptyShould(true).check(SHIPPED);
    }

    @Test
    void the_rules_see_all_that_ships() {
        assertThat(SHIPPED.contain("dev.skep.kernel.error.SkepException")).isTrue();
        assertThat(SHIPPED.contain("dev.skep.app.Main")).isTrue();
    }

    static Stream<Named<ArchRule>> broken_rules() {
        return Stream.of(
                named("library", Rules.only(Rules.HOMES.getFirst())),
                named("no cycles", Rules.packagesFormNoCycles()),
                named("no clock", Rules.nobodyAsksTheMachineForTheTime()),
                named("durable files", Rules.filesAreWrittenInOnePlace()),
                named("features apart", Rules.featuresStayApart()),
                named("one composer", Rules.componentsAreMadeByTheAppOnly()));
    }

    @ParameterizedTest
    @MethodSource("broken_rules")
    void a_class_that_breaks_the_rule_is_found(ArchRule rule) {
        assertThat(rule.evaluate(WRONG).hasViolation()).isTrue();
    }
}
