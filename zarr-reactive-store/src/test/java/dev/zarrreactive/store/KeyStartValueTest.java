package dev.zarrreactive.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.error.StoreException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class KeyStartValueTest {
  private static final StoreKey KEY = StoreKey.of("a/b");

  @Property
  void parts_that_do_not_overlap_are_written_as_if_one_by_one(
      @ForAll byte[] old, @ForAll @Size(max = 6) List<@IntRange(max = 5) Integer> gapsAndSizes) {
    byte[] expected = old;
    List<KeyStartValue> parts = new ArrayList<>();
    int at = 0;
    for (int i = 0; i + 1 < gapsAndSizes.size(); i += 2) {
      at += gapsAndSizes.get(i);
      int size = gapsAndSizes.get(i + 1);
      byte[] bytes = new byte[size];
      Arrays.fill(bytes, (byte) (100 + i));
      parts.add(0, new KeyStartValue(KEY, at, Bytes.wrap(bytes)));
      expected = Arrays.copyOf(expected, Math.max(expected.length, at + size));
      System.arraycopy(bytes, 0, expected, at, size);
      at += size;
    }
    List<KeyStartValue> sorted = KeyStartValue.byKey(parts).getOrDefault(KEY, List.of());
    assertThat(KeyStartValue.apply(Bytes.wrap(old), sorted)).isEqualTo(Bytes.wrap(expected));
  }

  @Test
  void an_overlap_is_refused_wherever_it_is_in_the_list() {
    KeyStartValue first = part(0, 4);
    KeyStartValue second = part(3, 1);
    assertThatThrownBy(() -> KeyStartValue.byKey(List.of(second, part(10, 2), first)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("bytes 0 to 4 and 3 to 4")
        .hasMessageContaining("a/b");
    assertThat(KeyStartValue.byKey(List.of(part(4, 1), first))).hasSize(1);
  }

  @Test
  void a_part_that_begins_before_a_value_or_ends_beyond_any_size_is_refused() {
    assertThatThrownBy(() -> part(-1, 1)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> part(Long.MAX_VALUE, 1)).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void a_value_too_large_for_an_array_is_an_error_before_anything_is_allocated() {
    assertThatThrownBy(() -> KeyStartValue.apply(null, List.of(part(1L << 40, 1))))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("1099511627777 bytes")
        .hasMessageContaining("a/b");
  }

  private static KeyStartValue part(long start, int size) {
    return new KeyStartValue(KEY, start, Bytes.wrap(new byte[size]));
  }
}
