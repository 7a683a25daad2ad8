package dev.skep.runner.workspace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.skep.runner.agent.DiskSize;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DiskLimitTest {
    @TempDir Path dir;

    @Test
    void an_agent_is_warned_near_its_limit_and_held_at_it() throws Exception {
        WorkspaceQuota quota = new WorkspaceQuota(dir, DiskSize.parse("1MB"));
        look(quota);
        assertThat(quota.warning()).isEmpty();
        Files.write(dir.resolve("a"), new byte[900_000]);
        look(quota);
        assertThat(quota.warning().orElse("")).contains("883 KB of the 1 MB");
        assertThat(quota.over()).isEmpty();
        Files.write(dir.resolve("b"), new byte[200_000]);
        look(quota);
        assertThat(quota.over().orElse("")).contains(dir.toString(), "raise disk_limit");
        Files.delete(dir.resolve("a"));
        look(quota);
        assertThat(quota.over()).isEmpty();
        assertThat(quota.warning()).isEmpty();
    }

    private static void look(WorkspaceQuota quota) throws InterruptedException {
        quota.look(Duration.ofSeconds(20));
    }

    @Test
    void nobody_waits_long_for_a_huge_folder_and_what_is_known_counts() throws Exception {
        CountDownLatch endless = new CountDownLatch(1);
        WorkspaceQuota quota =
                new WorkspaceQuota(
                        dir,
                        DiskSize.parse("1MB"),
                        _ -> {
                            try {
                                endless.await();
                            } catch (InterruptedException e) {
                                Thread.currentThread().interrupt();
                            }
                            return new FolderSize(2 << 20, true);
                        });
        quota.look(Duration.ofMillis(1));
        assertThat(quota.over()).isEmpty();
        endless.countDown();
        look(quota);
        assertThat(quota.over()).isPresent();
    }

    @Test
    void links_are_not_followed_and_there_is_an_end_to_looking() throws IOException {
        Path big = Files.createDirectories(dir.resolve("big"));
        Files.write(big.resolve("x"), new byte[100_000]);
        Path small = Files.createDirectories(dir.resolve("small"));
        Files.createSymbolicLink(small.resolve("link"), big);
        Files.createSymbolicLink(small.resolve("loop"), small);
        assertThat(FolderSize.of(small).bytes()).isLessThan(10_000);
        for (int i = 0; i < 50; i++) {
            Files.write(small.resolve("f" + i), new byte[1_000]);
        }
        FolderSize part = FolderSize.of(small, 10, Duration.ofSeconds(5));
        assertThat(part.complete()).isFalse();
        assertThat(part.bytes()).isLessThan(20_000);
        assertThat(FolderSize.of(small).bytes()).isGreaterThan(50_000);
        assertThat(FolderSize.of(dir.resolve("nowhere"))).isEqualTo(new FolderSize(0, true));
    }

    @Test
    void sizes_are_written_with_their_unit() {
        assertThat(DiskSize.parse("2GB")).isEqualTo(new DiskSize(2L << 30)).hasToString("2,048 MB");
        assertThat(DiskSize.parse("500 mb").bytes()).isEqualTo(500L << 20);
        assertThat(DiskSize.parse("20GB")).hasToString("20 GB");
        for (String wrong : new String[] {"2", "GB", "0MB", "-1GB", "1.5GB", "2 parsecs", ""}) {
            assertThatThrownBy(() -> DiskSize.parse(wrong)).hasMessageContaining("is not a size");
        }
    }
}
