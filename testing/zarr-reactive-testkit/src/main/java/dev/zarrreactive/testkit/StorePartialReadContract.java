package dev.zarrreactive.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.zarrreactive.base.ByteRange;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.error.StoreException;
import dev.zarrreactive.store.KeyRange;
import dev.zarrreactive.store.PartialValue;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import reactor.test.StepVerifier;

/** Reading parts of many values. */
abstract class StorePartialReadContract extends StoreReadContract {
  StorePartialReadContract() {}

  @Test
  void parts_come_in_the_order_asked_for_with_repeats_and_missing_keys() {
    seed(TEN, ten());
    seed("other", bytes(42));
    List<KeyRange> asked =
        List.of(
            part(TEN, suffix(2)),
            part("missing", from(0)),
            part("other", from(0)),
            part(TEN, slice(0, 3)),
            part(TEN, suffix(2)),
            part("array/missing", slice(0, 1)),
            part(TEN, slice(5, 0)));
    assertThat(await(store().getPartialValues(asked)))
        .containsExactly(
            new PartialValue(asked.get(0), bytes(8, 9)),
            new PartialValue(asked.get(1), null),
            new PartialValue(asked.get(2), bytes(42)),
            new PartialValue(asked.get(3), bytes(0, 1, 2)),
            new PartialValue(asked.get(4), bytes(8, 9)),
            new PartialValue(asked.get(5), null),
            new PartialValue(asked.get(6), Bytes.EMPTY));
  }

  @Test
  void a_part_of_a_missing_key_says_so() {
    seed("value", Bytes.EMPTY);
    List<KeyRange> asked = List.of(part("missing", suffix(4)), part("value", suffix(4)));
    assertThat(await(store().getPartialValues(asked)).stream().map(PartialValue::isMissing))
        .containsExactly(true, false);
  }

  @Test
  void no_parts_asked_for_are_no_parts() {
    assertThat(await(store().getPartialValues(List.of()))).isEmpty();
  }

  @Test
  void a_thousand_parts_stay_in_order() {
    byte[] value = new byte[2000];
    for (int i = 0; i < value.length; i++) {
      value[i] = (byte) (i * 31 + i / 256);
    }
    seed("value", Bytes.wrap(value));
    List<KeyRange> asked = new ArrayList<>();
    List<Bytes> expected = new ArrayList<>();
    for (int i = 0; i < 1000; i++) {
      int offset = i * 997 % 1990;
      asked.add(part("value", slice(offset, 10)));
      expected.add(Bytes.wrap(value, offset, 10));
    }
    assertThat(await(store().getPartialValues(asked).mapNotNull(PartialValue::bytes)))
        .isEqualTo(expected);
  }

  @Test
  void a_part_beyond_the_end_is_an_error() {
    seed(TEN, ten());
    List<KeyRange> asked = List.of(part(TEN, slice(0, 1)), part(TEN, slice(8, 5)));
    assertThat(errorOf(store().getPartialValues(asked)))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining(TEN);
  }

  @Test
  void parts_are_handed_on_as_demanded() {
    seed(TEN, ten());
    List<KeyRange> asked = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      asked.add(part(TEN, slice(i, 1)));
    }
    StepVerifier.create(store().getPartialValues(asked).mapNotNull(PartialValue::bytes), 0)
        .expectSubscription()
        .thenRequest(1)
        .expectNext(bytes(0))
        .thenRequest(3)
        .expectNext(bytes(1), bytes(2), bytes(3))
        .thenRequest(Long.MAX_VALUE)
        .expectNext(bytes(4), bytes(5), bytes(6), bytes(7), bytes(8), bytes(9))
        .expectComplete()
        .verify(TIMEOUT);
  }

  @Test
  void a_read_of_parts_can_be_cancelled() {
    seed(TEN, ten());
    List<KeyRange> asked = List.of(part(TEN, slice(0, 1)), part(TEN, slice(1, 1)));
    StepVerifier.create(store().getPartialValues(asked), 1)
        .expectNextCount(1)
        .thenCancel()
        .verify(TIMEOUT);
  }

  static KeyRange part(String key, ByteRange range) {
    return new KeyRange(StoreKey.of(key), range);
  }
}
