package dev.skep.dispatch.host;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class HostsFallingSilentTest {
    private static final Instant START = Instant.parse("2027-01-01T00:00:00Z");
    private static final StatusRules RULES = StatusRules.STANDARD;

    private final OutageDetector mass = new OutageDetector();

    @Test
    void the_first_beat_brings_an_unknown_host_online() {
        assertThat(RULES.beat(HealthRecord.NEVER_SEEN, START, false).status())
                .isEqualTo(HostStatus.ONLINE);
    }

    @Test
    void a_host_is_offline_after_the_threshold_and_not_before() {
        HealthRecord online = RULES.beat(HealthRecord.NEVER_SEEN, START, false);
        Instant longAgo = START.minusSeconds(3_600);

        assertThat(RULES.silence(online, START.plusSeconds(119), longAgo).status())
                .isEqualTo(HostStatus.ONLINE);
        assertThat(RULES.silence(online, START.plusSeconds(120), longAgo).status())
                .isEqualTo(HostStatus.OFFLINE);
    }

    @Test
    void two_beats_in_a_row_bring_it_back() {
        HealthRecord offline = new HealthRecord(HostStatus.OFFLINE, START, 0, null);
        Instant later = START.plusSeconds(600);

        HealthRecord once = RULES.beat(offline, later, false);
        assertThat(once.status()).isEqualTo(HostStatus.OFFLINE);
        assertThat(RULES.beat(once, later.plusSeconds(10), false).status())
                .isEqualTo(HostStatus.ONLINE);
    }

    @Test
    void two_beats_far_apart_do_not() {
        HealthRecord offline = new HealthRecord(HostStatus.OFFLINE, START, 0, null);
        HealthRecord once = RULES.beat(offline, START.plusSeconds(600), false);

        assertThat(RULES.beat(once, START.plusSeconds(900), false).status())
                .isEqualTo(HostStatus.OFFLINE);
    }

    @Test
    void no_host_is_offline_while_the_hub_has_only_just_begun_to_listen() {
        HealthRecord online = RULES.beat(HealthRecord.NEVER_SEEN, START, false);
        Instant restarted = START.plusSeconds(3_600);

        assertThat(RULES.silence(online, restarted.plusSeconds(119), restarted)).isEqualTo(online);
        assertThat(RULES.silence(online, restarted.plusSeconds(120), restarted).status())
                .isEqualTo(HostStatus.OFFLINE);
    }

    @Test
    void degraded_by_hand_lasts_through_beats_and_through_an_absence() {
        HealthRecord byHand =
                new HealthRecord(HostStatus.DEGRADED, START, 2, "disk is being replaced");

        assertThat(RULES.beat(byHand, START.plusSeconds(10), false).status())
                .isEqualTo(HostStatus.DEGRADED);
        HealthRecord gone = RULES.silence(byHand, START.plusSeconds(500), START.minusSeconds(900));
        assertThat(gone.status()).isEqualTo(HostStatus.OFFLINE);
        HealthRecord back = RULES.beat(gone, START.plusSeconds(510), false);
        assertThat(RULES.beat(back, START.plusSeconds(520), false).status())
                .isEqualTo(HostStatus.DEGRADED);
    }

    @Test
    void a_host_that_is_unwell_is_degraded_until_it_is_well() {
        HealthRecord unwell = RULES.beat(HealthRecord.NEVER_SEEN, START, true);

        assertThat(unwell.status()).isEqualTo(HostStatus.DEGRADED);
        assertThat(RULES.beat(unwell, START.plusSeconds(10), false).status())
                .isEqualTo(HostStatus.ONLINE);
    }

    @Test
    void a_few_hosts_get_an_alert_each() {
        assertThat(mass.hostsWentOffline(START, 3, 0))
                .isEqualTo(OutageDetector.Announcement.EACH_HOST);
        assertThat(mass.hostsWentOffline(START.plusSeconds(90), 3, 100))
                .isEqualTo(OutageDetector.Announcement.EACH_HOST);
    }

    @Test
    void over_thirty_percent_within_a_minute_is_one_alert_about_the_hub() {
        assertThat(mass.hostsWentOffline(START, 25, 75))
                .isEqualTo(OutageDetector.Announcement.EACH_HOST);
        assertThat(mass.hostsWentOffline(START.plusSeconds(20), 10, 65))
                .isEqualTo(OutageDetector.Announcement.HUB_CONNECTIVITY);
        assertThat(mass.hostsWentOffline(START.plusSeconds(25), 40, 25))
                .isEqualTo(OutageDetector.Announcement.NOTHING);
    }

    @Test
    void after_a_quiet_minute_hosts_get_alerts_of_their_own_again() {
        mass.hostsWentOffline(START, 60, 40);

        assertThat(mass.hostsWentOffline(START.plusSeconds(61), 1, 99))
                .isEqualTo(OutageDetector.Announcement.EACH_HOST);
    }

    @Test
    void a_large_fleet_is_asked_to_beat_more_rarely_but_always_within_a_lease() {
        assertThat(HeartbeatInterval.forFleet(3)).isEqualTo(Duration.ofSeconds(10));
        assertThat(HeartbeatInterval.forFleet(10_000)).isEqualTo(Duration.ofSeconds(20));
        assertThat(HeartbeatInterval.forFleet(1_000_000)).isLessThan(Duration.ofSeconds(30));
    }
}
