package dev.skep.transport.socket;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What a request for a socket says behind its question mark. */
class QueriesOfSocketsTest {
    private static SocketRequest asking(String query) {
        return new SocketRequest(
                "/events/default", query, Optional.empty(), Optional.empty(), "10.0.0.1", false);
    }

    @Test
    void the_first_value_of_a_name_counts() {
        assertThat(asking("a=1&after=x&after=y").query("after")).hasValue("x");
        assertThat(asking("after=").query("after")).hasValue("");
    }

    @Test
    void a_name_that_only_ends_like_it_is_another() {
        assertThat(asking("hereafter=x&after").query("after")).isEmpty();
        assertThat(asking("").query("after")).isEmpty();
    }

    @Test
    void codes_are_decoded_and_a_plus_is_a_plus() {
        assertThat(asking("token=a%2Bb+c%26%C3%BC").query("token")).hasValue("a+b+c&ü");
    }

    @Test
    void what_is_no_code_stays_as_it_is() {
        assertThat(asking("token=50%&x=%zz%4").query("token")).hasValue("50%");
        assertThat(asking("token=50%&x=%zz%4").query("x")).hasValue("%zz%4");
    }
}
