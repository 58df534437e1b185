package dev.zarrreactive.store.zip;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.zarrreactive.base.ByteRange;
import dev.zarrreactive.error.StoreException;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The end of an archive is found, or it is no archive. */
class ZipEndTest {
  @ParameterizedTest
  @ValueSource(ints = {0, 1, 21, 22, 1000, 65_534, 65_535})
  void a_comment_of_any_length_may_follow(int length) {
    ZipBuilder builder = archive(10);
    builder.comment = Zips.random(length, 3);
    assertReadable(builder.build(), 10);
    builder.zip64 = true;
    assertReadable(builder.build(), 10);
  }

  @Test
  void a_comment_may_hold_what_looks_like_an_end() {
    byte[] empty = ZipBuilder.end(0, 0, 0, false, new byte[0]);
    byte[] wrong = ZipBuilder.end(1, 50, 3, false, new byte[0]);
    byte[] wrong64 = ZipBuilder.end(1, 50, 3, true, new byte[0]);
    byte[] empty64 = ZipBuilder.end(0, 0, 0, true, new byte[0]);
    for (byte[] fake : new byte[][] {empty, wrong, wrong64, empty64, Arrays.copyOf(empty, 4)}) {
      for (int size : new int[] {10, 100_000}) {
        ZipBuilder builder = archive(size);
        builder.comment = join("PK\5\6 a comment ".getBytes(UTF_8), fake);
        assertReadable(builder.build(), size);
        builder.comment = Arrays.copyOf(builder.comment, 65_535 - fake.length);
        builder.comment = join(builder.comment, fake);
        assertReadable(builder.build(), size);
      }
    }
  }

  @Test
  void cut_at_any_length_it_is_refused() {
    ZipBuilder builder = archive(40);
    builder.comment = "a comment".getBytes(UTF_8);
    for (boolean zip64 : new boolean[] {false, true}) {
      builder.zip64 = zip64;
      byte[] zip = builder.build();
      for (int length = 0; length < zip.length; length++) {
        StoreException error = Zips.refusal(Arrays.copyOf(zip, length));
        assertThat(error).as("first %d of %d bytes", length, zip.length).isNotNull();
        assertThat(error.location().storeKey()).isEqualTo(Zips.KEY.value());
      }
    }
  }

  @Test
  void without_its_first_bytes_it_is_refused() {
    byte[] small = archive(40).build();
    for (int cut = 1; cut < small.length - 22; cut++) {
      byte[] rest = Arrays.copyOfRange(small, cut, small.length);
      assertThat(Zips.refusal(rest)).as("without %d bytes", cut).isNotNull();
    }
    byte[] large = archive(100_000).build();
    ZipStore zip = Zips.open(Arrays.copyOfRange(large, 10, large.length));
    assertThat(Zips.refusal(zip, "value")).isNotNull();
  }

  @Test
  void bytes_behind_the_comment_are_refused() {
    byte[] zip = archive(10).build();
    assertThat(Zips.refusal(join(zip, "footer".getBytes(UTF_8))))
        .hasMessageContaining("other bytes stand behind it, 6 at the end of the file");
  }

  @Test
  void the_comment_of_an_archive_of_ome_zarr_may_follow() {
    ZipBuilder builder = archive(10);
    builder.comment =
        "{\"ome\":{\"version\":\"0.5\",\"zipFile\":{\"centralDirectory\":{\"jsonFirst\":true}}}}\0"
            .getBytes(UTF_8);
    builder.zip64 = true;
    assertReadable(builder.build(), 10);
  }

  @Test
  void zeros_and_white_space_behind_the_comment_are_passed_over() {
    for (int size : new int[] {10, 100_000}) {
      for (String behind : new String[] {"\0", "\n", "\r\n", " \n\n", "\0".repeat(5000)}) {
        assertReadable(join(archive(size).build(), behind.getBytes(UTF_8)), size);
        ZipBuilder builder = archive(size);
        builder.comment = "a comment \n".getBytes(UTF_8);
        assertReadable(join(builder.build(), behind.getBytes(UTF_8)), size);
        builder.zip64 = true;
        builder.before = Zips.random(77, 5);
        builder.shift = -77;
        builder.parts.forEach(part -> part.offset = -1);
        assertReadable(join(builder.build(), behind.getBytes(UTF_8)), size);
      }
    }
  }

  @ParameterizedTest
  @CsvSource({"10, 1", "10, 60000", "10, 5000000", "100000, 1", "100000, 12345", "5000000, 9"})
  void a_program_may_stand_before_it(int size, int program) {
    ZipBuilder builder = archive(size);
    builder.before = Zips.random(program, 5);
    builder.shift = -program;
    assertReadable(builder.build(), size);
    builder.shift = 0;
    builder.parts.forEach(part -> part.offset = -1);
    assertReadable(builder.build(), size);
  }

  @Test
  void a_program_may_stand_before_a_directory_longer_than_the_tail() {
    ZipBuilder builder = new ZipBuilder();
    for (int i = 0; i < 3000; i++) {
      builder.add("c/" + i, "chunk " + i);
    }
    builder.before = Zips.random(100_000, 5);
    builder.shift = -100_000;
    ZipStore zip = Zips.open(builder.build());
    assertThat(Zips.keys(zip)).hasSize(3000);
    assertThat(Zips.get(zip, "c/2999")).asString().isEqualTo("chunk 2999");
  }

  @Test
  void a_program_too_long_to_look_for_is_refused() {
    ZipBuilder builder = archive(100_000);
    builder.before = new byte[ZipSource.LONGEST_PREFIX + 1];
    builder.shift = -builder.before.length;
    assertThat(Zips.refusal(Zips.open(builder.build()), "value"))
        .hasMessageContaining("16777216 bytes stand before it");
  }

  @Test
  void a_zip64_record_may_have_more_fields_than_are_known() {
    byte[] zip = ZipStoreTest.zip64(archive(10)).build();
    int record = zip.length - 98;
    byte[] more = new byte[300];
    byte[] longer =
        join(
            join(Arrays.copyOf(zip, record + 56), more),
            Arrays.copyOfRange(zip, record + 56, zip.length));
    java.nio.ByteBuffer.wrap(longer)
        .order(java.nio.ByteOrder.LITTLE_ENDIAN)
        .putLong(record + 4, 44 + more.length);
    assertReadable(longer, 10);
  }

  @Test
  void a_split_archive_is_refused() {
    for (int field : new int[] {4, 6, 8}) {
      byte[] zip = archive(10).build();
      zip[zip.length - 22 + field] = 3;
      assertThat(Zips.refusal(zip)).hasMessageContaining("split over several disks");
    }
  }

  private static ZipBuilder archive(int size) {
    ZipBuilder builder = new ZipBuilder().add("zarr.json", "{}");
    builder.stored("value", Zips.random(size, size));
    return builder;
  }

  private static void assertReadable(byte[] bytes, int size) {
    ZipStore zip = Zips.open(bytes);
    assertThat(Zips.keys(zip)).containsExactly("value", "zarr.json");
    assertThat(Zips.get(zip, "value", new ByteRange.Suffix(3)))
        .isEqualTo(Arrays.copyOfRange(Zips.random(size, size), size - 3, size));
    assertThat(Zips.get(zip, "value")).isEqualTo(Zips.random(size, size));
    assertThat(Zips.get(zip, "zarr.json")).asString().isEqualTo("{}");
  }

  static byte[] join(byte[] first, byte[] second) {
    byte[] joined = Arrays.copyOf(first, first.length + second.length);
    System.arraycopy(second, 0, joined, first.length, second.length);
    return joined;
  }
}
