package dev.zarrreactive.cli.console;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigInteger;
import org.junit.jupiter.api.Test;

class QuantitiesTest {
  @Test
  void bytes_have_the_unit_that_reads_best() {
    assertThat(Quantities.bytes(0)).isEqualTo("0 bytes");
    assertThat(Quantities.bytes(1)).isEqualTo("1 byte");
    assertThat(Quantities.bytes(1023)).isEqualTo("1,023 bytes");
    assertThat(Quantities.bytes(1024)).isEqualTo("1.0 KiB");
    assertThat(Quantities.bytes(777_600)).isEqualTo("759.4 KiB");
    assertThat(Quantities.bytes(4L << 30)).isEqualTo("4.0 GiB");
    assertThat(Quantities.bytes(BigInteger.ONE.shiftLeft(100))).isEqualTo("1048576.0 YiB");
  }

  @Test
  void one_is_singular() {
    assertThat(Quantities.plural(1, "chunk")).isEqualTo("1 chunk");
    assertThat(Quantities.plural(1_000_000, "chunk")).isEqualTo("1,000,000 chunks");
  }

  @Test
  void control_characters_are_spelled_out() {
    assertThat(Printable.of("plain ünïcode")).isEqualTo("plain ünïcode");
    assertThat(Printable.of("a\u001b[2Jb\u007f\u009bc")).isEqualTo("a\\u001b[2Jb\\u007f\\u009bc");
  }

  @Test
  void characters_that_change_the_order_of_others_are_spelled_out() {
    assertThat(Printable.of("a\u202egpj.zarr")).isEqualTo("a\\u202egpj.zarr");
    assertThat(Printable.of("\u200f\u2066\u2069\u061c\u200b\ufeff\u2028\u2029"))
        .isEqualTo("\\u200f\\u2066\\u2069\\u061c\\u200b\\ufeff\\u2028\\u2029");
    assertThat(Printable.of("x\udb40\udc41")).isEqualTo("x\\udb40\\udc41");
    String family = "\ud83d\udc68\u200d\ud83d\udc69"; // two people and a joiner
    assertThat(Printable.of(family)).isEqualTo(family);
  }
}
