package dev.zarrreactive.azure;

import static org.assertj.core.api.Assertions.assertThat;

import dev.zarrreactive.faults.LeakWatch;
import io.netty.buffer.ByteBufAllocator;
import org.junit.jupiter.api.Test;

/** A watch that sees nothing proves nothing. */
class NoLeaksBitesTest {
  @Test
  void a_buffer_that_is_lost_is_seen() {
    assertThat(LeakWatch.leaks()).isEmpty();
    for (int i = 0; i < 10; i++) {
      ByteBufAllocator.DEFAULT.buffer(100);
    }
    assertThat(LeakWatch.leaks()).isNotEmpty();
    LeakWatch.forget();
  }
}
