package dev.skep.fleet.nemesis;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class FaultScheduleTest {
    private static final Duration LENGTH = Duration.ofMinutes(30);

    private static List<PlannedFault> schedule(long seed) {
        return FaultSchedule.inOrder(new Nemesis.Plan(seed, LENGTH, 2, 2, Set.of()).lanes());
    }

    @Test
    void the_same_seed_is_the_same_schedule() {
        assertThat(schedule(7)).isEqualTo(schedule(7)).isNotEqualTo(schedule(8));
    }

    @Test
    void every_kind_of_fault_comes_and_every_process_and_link_has_some() {
        List<PlannedFault> faults = schedule(1);
        assertThat(faults.stream().map(fault -> fault.harm().kind()).collect(Collectors.toSet()))
                .isEqualTo(FaultEffect.KINDS);
        assertThat(faults.stream().map(PlannedFault::target).collect(Collectors.toSet()))
                .containsAll(FaultyFleet.processNames(2, 2))
                .containsAll(FaultyFleet.linkNames(2, 2));
    }

    @Test
    void faults_of_a_lane_follow_each_other_and_end_with_the_run() {
        for (List<PlannedFault> lane : new Nemesis.Plan(3, LENGTH, 2, 3, Set.of()).lanes()) {
            Duration over = Duration.ZERO;
            for (PlannedFault fault : lane) {
                assertThat(fault.at()).isGreaterThanOrEqualTo(over);
                over = fault.at().plus(fault.lasts());
            }
            assertThat(over).isLessThanOrEqualTo(LENGTH);
        }
    }
}
