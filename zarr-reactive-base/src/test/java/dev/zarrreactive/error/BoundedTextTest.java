package dev.zarrreactive.error;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** A message repeats no more of a hostile document than a person reads. */
class BoundedTextTest {
  @Test
  void a_list_of_a_hundred_thousand_numbers_is_shown_by_its_first_ones_and_its_last() {
    String list =
        IntStream.range(0, 100_000).mapToObj(Integer::toString).collect(Collectors.joining(", "));
    assertThat(new CodecException("the order [" + list + "] is no order", Location.UNKNOWN))
        .hasMessage(
            "the order ["
                + list.substring(0, list.indexOf(" 64,"))
                + " ... 99935 more, 99999] is no order");
  }

  @Test
  void a_name_of_a_megabyte_is_cut_and_what_follows_it_is_not() {
    String name = "x".repeat(1 << 20);
    CodecException error =
        new CodecException(
            "unknown codec " + name + "; add a provider", Location.ofNode("/" + name).codec(name));
    assertThat(error.statement())
        .isEqualTo("unknown codec " + "x".repeat(200) + "... add a provider");
    assertThat(error.getMessage()).hasSizeLessThan(700).contains("(node /xxx");
    assertThat(error.location().codec()).isEqualTo(name);
  }

  @Test
  void no_text_is_longer_than_a_page_and_no_character_is_cut_in_two() {
    String many = "\uD83D\uDE00 ".repeat(100_000);
    assertThat(BoundedText.of(many)).hasSizeLessThanOrEqualTo(4_003).endsWith("...");
    String one = "a" + "\uD83D\uDE00".repeat(1_000);
    assertThat(BoundedText.of(one)).isEqualTo("a" + "\uD83D\uDE00".repeat(99) + "...");
  }

  @Test
  void a_message_of_usual_length_is_as_it_was_written() {
    String usual = IntStream.range(0, 60).mapToObj(i -> "c" + i).collect(Collectors.joining(", "));
    assertThat(BoundedText.of(usual)).isSameAs(usual);
  }

  /** Each of those who wait for one answer adds its own place. */
  @Test
  void a_copy_of_an_error_has_a_place_of_its_own() {
    Throwable cause = new IllegalStateException("closed");
    TransientStoreException error =
        new TransientStoreException("busy", Location.ofKey("a/c/0"), cause);
    ZarrException copy = error.copy();
    error.at(Location.UNKNOWN.innerChunk(1));
    copy.at(Location.UNKNOWN.innerChunk(2));
    copy.addSuppressed(new IllegalStateException("of the copy"));
    assertThat(error).hasMessage("busy (inner chunk [1], key a/c/0)").hasNoSuppressedExceptions();
    assertThat(copy)
        .isExactlyInstanceOf(TransientStoreException.class)
        .hasMessage("busy (inner chunk [2], key a/c/0)")
        .hasCause(cause);
    assertThat(copy.getStackTrace()).isEqualTo(error.getStackTrace());
  }
}
