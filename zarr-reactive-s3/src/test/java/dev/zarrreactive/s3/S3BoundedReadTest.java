package dev.zarrreactive.s3;

import static dev.zarrreactive.s3.OneValue.KEY;
import static dev.zarrreactive.testing.Waiting.await;
import static dev.zarrreactive.testing.Waiting.errorOf;
import static org.assertj.core.api.Assertions.assertThat;

import dev.zarrreactive.base.ByteRange;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.error.ValueTooLargeException;
import dev.zarrreactive.faults.NoLeaks;
import dev.zarrreactive.faults.server.Fault;
import dev.zarrreactive.faults.server.FaultyServer;
import dev.zarrreactive.store.memory.MemoryStore;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Values that are larger than the caller expects. */
@ExtendWith(NoLeaks.class)
class S3BoundedReadTest {
  private static final int SIZE = 8 << 20;

  private final OneValue one = new OneValue(SIZE);

  @AfterEach
  void close() {
    one.close();
  }

  @Test
  void a_value_within_its_bound_is_one_request_without_a_range() {
    assertThat(await(one.store.get(KEY, ByteRange.whole(SIZE)))).isEqualTo(one.value);
    assertThat(one.server.requests()).hasSize(1);
    assertThat(one.server.requests().get(0).header("range")).isNull();
  }

  /** The body stalls: an error that waited for it would not come. */
  @Test
  void a_value_beyond_its_bound_is_refused_by_its_length() {
    one.server.misbehave(Fault.stallAfter(0));
    assertThat(errorOf(one.store.get(KEY, ByteRange.whole(SIZE - 1))))
        .isInstanceOfSatisfying(
            ValueTooLargeException.class,
            error -> {
              assertThat(error.size()).isEqualTo(SIZE);
              assertThat(error.maxBytes()).isEqualTo(SIZE - 1);
            })
        .hasMessageContaining(KEY.value());
  }

  @Test
  void a_value_of_unknown_length_is_refused_when_it_has_passed_its_bound() {
    MemoryStore values = MemoryStore.create();
    await(values.set(StoreKey.of("bucket/" + KEY), one.value));
    try (FaultyServer plain = FaultyServer.of(values)) {
      plain.misbehave(Fault.noLength().and(Fault.stallAfter(200_000)));
      S3Store store = S3Store.at("bucket").endpoint(plain.uri()).anonymous().open();
      assertThat(errorOf(store.get(KEY, ByteRange.whole(100_000))))
          .isInstanceOfSatisfying(
              ValueTooLargeException.class,
              error -> assertThat(error.size()).isEqualTo(ValueTooLargeException.UNKNOWN_SIZE));
      await(store.close());
    }
  }
}
