package dev.zarrreactive.internal.transfer;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.zarrreactive.error.MemoryExhaustedException;
import org.junit.jupiter.api.Test;

/** The array that collects a body. */
class BodyBufferTest {
  @Test
  void a_body_for_which_there_is_no_room_is_an_error_that_names_the_size() {
    assertThatThrownBy(() -> BodyBuffer.room(Integer.MAX_VALUE)) // more than any heap gives
        .isInstanceOf(MemoryExhaustedException.class)
        .hasMessageContaining("no room for 2147483647 bytes to collect a value")
        .hasCauseInstanceOf(OutOfMemoryError.class);
  }
}
