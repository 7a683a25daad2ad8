package dev.skep.fleet.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FindingAJdkTest {
    @TempDir Path world;
    Installation skep;

    @BeforeEach
    void install() {
        skep = new Installation(world).withJar("any");
    }

    @Test
    void java_home_is_used_when_it_is_a_25() {
        Path jdk = skep.fakeJdk("my jdk", "25.0.3");
        skep.fakeJdk("home/.sdkman/candidates/java/25-other", "25.0.1");
        skep.environment.put("JAVA_HOME", jdk.toString());

        assertThat(skep.run("--version").out()).contains("java of " + jdk.resolve("bin/java"));
    }

    @Test
    void a_java_home_of_another_version_is_passed_over() {
        skep.environment.put("JAVA_HOME", skep.fakeJdk("old", "17.0.15").toString());
        Path jdk = skep.fakeJdk("home/.jdks/temurin-25", "25");

        assertThat(skep.run("__java-home").out()).isEqualTo(jdk + "\n");
    }

    @Test
    void the_java_on_the_path_is_followed_to_its_jdk() {
        Path jdk = skep.fakeJdk("elsewhere/jdk", "25.0.2");
        Installation.link(world.resolve("alternative"), jdk.resolve("bin/java"));
        Installation.link(world.resolve("bin/java"), Path.of("../alternative"));

        assertThat(skep.run("__java-home").out().strip()).endsWith("elsewhere/jdk");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                ".sdkman/candidates/java/25.0.3-tem",
                ".asdf/installs/java/temurin-25.0.3",
                ".local/share/mise/installs/java/25",
                ".jdks/openjdk-25",
                "Library/Java/JavaVirtualMachines/temurin-25.jdk/Contents/Home"
            })
    void the_usual_places_are_searched(String place) {
        skep.fakeJdk("home/.sdkman/candidates/java/21", "21.0.1");
        Path jdk = skep.fakeJdk("home/" + place, "25.0.3");

        assertThat(skep.run("__java-home").out()).isEqualTo(jdk + "\n");
    }

    @ParameterizedTest
    @ValueSource(strings = {"17.0.15", "26", "2.5", "250"})
    void without_a_jdk_25_one_line_says_what_to_install(String other) {
        skep.fakeJdk("home/.jdks/other", other);

        Ran ran = skep.run("up");

        assertThat(ran.status()).isEqualTo(3);
        assertThat(ran.out()).isEmpty();
        assertThat(ran.errorLines())
                .singleElement()
                .asString()
                .startsWith("skep: no JDK 25 found: install one");
    }
}
