package dev.zarrreactive.webflux;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.zarrreactive.base.Bytes;
import java.nio.ReadOnlyBufferException;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DefaultDataBufferFactory;
import reactor.core.publisher.Flux;
import reactor.test.StepVerifier;

/** Buffers of Spring are views of bytes. */
class DataBuffersTest {
  private static final DefaultDataBufferFactory FACTORY = new DefaultDataBufferFactory();

  @Test
  void a_buffer_is_the_same_memory_and_read_only() {
    byte[] memory = {1, 2, 3, 4};
    DataBuffer buffer = DataBuffers.of(Bytes.wrap(memory, 1, 2), FACTORY);
    memory[1] = 7;
    assertThat(buffer.readableByteCount()).isEqualTo(2);
    assertThat(buffer.getByte(0)).isEqualTo((byte) 7);
    assertThatThrownBy(() -> buffer.writePosition(0).write((byte) 1))
        .isInstanceOf(ReadOnlyBufferException.class);
  }

  @Test
  void the_demand_reaches_the_pieces() {
    StepVerifier.create(
            DataBuffers.of(
                Flux.range(0, 10).map(i -> Bytes.wrap(new byte[i])).doOnRequest(this::noteDemand),
                FACTORY),
            0)
        .thenRequest(2)
        .expectNextCount(2)
        .thenCancel()
        .verify(Duration.ofSeconds(60));
    assertThat(demanded).isEqualTo(2);
  }

  private long demanded;

  private void noteDemand(long count) {
    demanded += count;
  }
}
