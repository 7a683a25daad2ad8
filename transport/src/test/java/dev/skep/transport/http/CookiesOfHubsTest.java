package dev.skep.transport.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpResponse;
import java.util.List;
import org.junit.jupiter.api.Test;

class CookiesOfHubsTest {
    private static final String HERE = "skep_01hub";

    private static TestListener hub(String hostId) {
        return new TestListener(
                ListenerConfig.loopback(0).withCookie(SessionCookie.nameFor(hostId)));
    }

    @Test
    void the_cookie_is_named_by_the_hub_whatever_the_port() {
        try (TestListener one = hub("01HUB");
                TestListener again = hub("01HUB");
                TestListener other = hub("01OTHER")) {
            assertThat(set(one.get("/api/cookie"))).singleElement().asString().startsWith(HERE);
            String both = "skep_01other=theirs; " + HERE + "=ours";
            assertThat(one.get("/api/session", "Cookie", both).body()).isEqualTo("ours");
            assertThat(again.get("/api/session", "Cookie", both).body()).isEqualTo("ours");
            assertThat(other.get("/api/session", "Cookie", both).body()).isEqualTo("theirs");
        }
    }

    @Test
    void the_cookie_of_an_earlier_version_is_read_until_a_new_one_replaces_it() {
        try (TestListener hub = hub("01HUB")) {
            String earlier = "skep_" + hub.listener.port();
            String cookie = earlier + "=old";
            assertThat(hub.get("/api/session", "Cookie", cookie).body()).isEqualTo("old");
            assertThat(hub.get("/api/session", "Cookie", cookie + "; " + HERE + "=new").body())
                    .isEqualTo("new");
            assertThat(set(hub.get("/api/cookie", "Cookie", cookie)))
                    .anySatisfy(
                            removal ->
                                    assertThat(removal)
                                            .startsWith(earlier + "=; ")
                                            .contains("Max-Age=0"))
                    .anySatisfy(made -> assertThat(made).startsWith(HERE + "=secret"));
        }
    }

    private static List<String> set(HttpResponse<String> answer) {
        return answer.headers().allValues("Set-Cookie");
    }
}
