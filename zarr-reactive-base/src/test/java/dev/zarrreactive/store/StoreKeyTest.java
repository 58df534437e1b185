package dev.zarrreactive.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.base.StorePrefix;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StoreKeyTest {
  @ParameterizedTest
  @ValueSource(strings = {"", "a//b", "/a", "a/", ".", "..", "a/../b", "a\0b"})
  void some_texts_are_no_keys(String text) {
    assertThatIllegalArgumentException().isThrownBy(() -> StoreKey.of(text));
  }

  @Test
  void half_a_surrogate_pair_is_refused_for_utf8_would_make_a_question_mark_of_it() {
    for (String half : new String[] {"a\uD800x", "\uDC00", "a/b\uD83D", "\uDE00\uD83D/c"}) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> StoreKey.of(half))
          .withMessageContaining("lone surrogate")
          .withMessageMatching("\\p{ASCII}*");
      assertThatIllegalArgumentException().isThrownBy(() -> StorePrefix.of(half + "/"));
    }
    assertThat(StoreKey.of("a/\uD83D\uDE00").value()).isEqualTo("a/\uD83D\uDE00");
  }
}
