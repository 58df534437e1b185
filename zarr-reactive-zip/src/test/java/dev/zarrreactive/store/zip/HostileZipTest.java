package dev.zarrreactive.store.zip;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.fail;

import dev.zarrreactive.base.ByteRange;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.base.StorePrefix;
import dev.zarrreactive.error.StoreException;
import dev.zarrreactive.error.ValueTooLargeException;
import dev.zarrreactive.testing.ChildProcess;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Flux;

/** What is wrong with an archive is said, with its place, and costs nothing. */
class HostileZipTest {
  /**
   * Far below what hostile sizes would take; above what classes that are loaded, and threads that
   * earlier tests left, allocate meanwhile.
   */
  private static final long LITTLE = 64 << 20;

  @ParameterizedTest
  @CsvSource({
    "/a,a",
    "//a,a",
    "a//b,a/b",
    "./a,a",
    "././a/b,a/b",
    "a/./b,a/b",
    "a\\b,a/b",
    "a\\b\\c,a/b/c",
    "\\a,a",
    ".\\a,a",
  })
  void a_name_that_other_programs_unpack_to_a_key_is_read_and_listed_as_the_key(
      String name, String key) {
    ZipBuilder builder = new ZipBuilder().add("zarr.json", "{}").add(name, "1");
    builder.deflated(name + "2", "deflated".getBytes(UTF_8));
    ZipStore zip = Zips.open(builder.build());
    assertThat(Zips.keys(zip)).containsExactlyInAnyOrder("zarr.json", key, key + "2");
    assertThat(Zips.get(zip, key)).asString().isEqualTo("1");
    assertThat(Zips.get(zip, key + "2")).asString().isEqualTo("deflated");
    assertThat(zip.skippedEntries()).isEmpty();
    for (ZipBuilder both :
        List.of(
            new ZipBuilder().add(name, "meant").add(key, "exact"),
            new ZipBuilder().add(key, "exact").add(name, "meant"))) {
      ZipStore exact = Zips.open(both.build());
      assertThat(Zips.get(exact, key)).asString().isEqualTo("exact");
      assertThat(Zips.keys(exact)).containsExactly(key);
    }
  }

  @Test
  void directories_of_windows_are_no_values() {
    ZipStore zip = Zips.open(new ZipBuilder().add("a\\", "").add("a\\b", "1").build());
    assertThat(Zips.keys(zip)).containsExactly("a/b");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", ".", "/.", ".//."})
  void a_name_that_means_no_key_is_skipped(String name) {
    ZipStore zip = Zips.open(new ZipBuilder().add("zarr.json", "{}").add(name, "1").build());
    assertThat(Zips.keys(zip)).containsExactly("zarr.json");
    assertThat(zip.skippedEntries()).hasSize(1);
  }

  @ParameterizedTest
  @CsvSource({
    "..,''",
    "../a,a",
    "a/..,a",
    "a/../../b,b",
    "a/../../b,a/b",
    "..\\a,a",
    "C:\\a,a",
    "a/b\\c,a/b/c",
    "a\0b,a",
    "a\0b,ab"
  })
  void a_key_that_a_skipped_entry_may_hold_is_neither_missing_nor_left_out_of_a_listing(
      String name, String key) {
    String raw = name.replace("\\0", "\0");
    ZipStore zip =
        Zips.open(new ZipBuilder().add("zarr.json", "{}").add(raw, "evil").add("z/0", "1").build());
    assertThat(Zips.get(zip, "zarr.json")).asString().isEqualTo("{}");
    assertThat(Zips.get(zip, "z/0")).asString().isEqualTo("1");
    assertThat(zip.get(StoreKey.of("z/1")).block()).isNull();
    assertThat(Zips.await(zip.listPrefix(StorePrefix.of("z/")))).hasSize(1);
    assertThat(zip.skippedEntries()).hasSize(1);
    if (key.isEmpty()) {
      assertThat(Zips.keys(zip)).containsExactly("z/0", "zarr.json");
      return;
    }
    assertThat(Zips.refusal(zip, key))
        .hasMessageContaining("cannot be a key")
        .extracting(error -> error.location().storeKey())
        .isEqualTo(key);
    for (Flux<?> listing :
        List.<Flux<?>>of(
            zip.list(), zip.listValues(StorePrefix.ROOT), zip.listDir(StorePrefix.ROOT))) {
      assertThatThrownBy(() -> Zips.await(listing))
          .isInstanceOf(StoreException.class)
          .hasMessageContaining("cannot be a key and may hold a value; write it again as");
    }
    ZipStore both = Zips.open(new ZipBuilder().add(raw, "1").add(key, "2").build());
    assertThat(Zips.get(both, key)).asString().isEqualTo("2");
  }

  @Test
  void an_archive_of_many_names_that_are_no_keys_is_refused() {
    ZipBuilder builder = new ZipBuilder();
    for (int i = 0; i <= 1000; i++) {
      builder.add("../" + i, "");
    }
    assertThat(Zips.refusal(builder.build())).hasMessageContaining("more than 1000 entries");
  }

  @ParameterizedTest
  @ValueSource(strings = {"..a", "a..", "a b", " ", "...", "C:", "a:b", "%2e%2e", "~", "a/..b/c"})
  void an_unusual_name_is_a_key_like_any_other(String name) {
    ZipStore zip = Zips.open(new ZipBuilder().add(name, "1").build());
    assertThat(Zips.keys(zip)).containsExactly(name);
    assertThat(Zips.get(zip, name)).asString().isEqualTo("1");
  }

  @Test
  void a_name_that_says_utf8_and_is_not_refuses_the_archive() {
    for (byte[] name :
        List.of(
            new byte[] {(byte) 0xff},
            new byte[] {'a', (byte) 0xc3},
            new byte[] {(byte) 0xc0, (byte) 0xaf},
            new byte[] {(byte) 0xed, (byte) 0xa0, (byte) 0x80})) {
      ZipBuilder builder = new ZipBuilder();
      builder.stored("", new byte[0]).name = name;
      assertThat(Zips.refusal(builder.build())).hasMessageContaining("is UTF-8 and is not");
    }
  }

  @Test
  void a_long_name_does_not_fill_the_message() {
    ZipBuilder builder = new ZipBuilder().add("x\n".repeat(20_000), "");
    builder.parts.get(0).offset = 5_000_000;
    assertThat(Zips.refusal(builder.build()).getMessage())
        .hasSizeLessThan(500)
        .doesNotContain("\n");
  }

  @Test
  void an_entry_outside_of_what_is_before_the_directory_refuses_the_archive() {
    for (Consumer<ZipBuilder.Part> change :
        List.<Consumer<ZipBuilder.Part>>of(
            part -> part.offset = 1000,
            part -> part.offset = Long.MAX_VALUE,
            part -> part.compressedSize = 1000,
            part -> part.compressedSize = Long.MAX_VALUE,
            part -> part.compressedSize = -1)) {
      ZipBuilder builder = new ZipBuilder();
      change.accept(builder.stored("a", new byte[10]));
      assertThat(Zips.refusal(builder.build())).hasMessageContaining("entry 0, \"a\": its");
    }
  }

  @Test
  void a_count_that_is_not_that_of_the_directory_refuses_the_archive() {
    byte[] zip = new ZipBuilder().add("a", "1").add("b", "2").add("c", "3").build();
    for (int count : new int[] {0, 1, 2, 4, 5, 0xfffe}) {
      byte[] changed = zip.clone();
      for (int field : new int[] {8, 10}) {
        changed[zip.length - 22 + field] = (byte) count;
        changed[zip.length - 22 + field + 1] = (byte) (count >> 8);
      }
      assertThat(Zips.refusal(changed)).as("%d entries", count).isNotNull();
    }
  }

  @Test
  void a_declared_directory_of_exabytes_costs_nothing() {
    for (long[] end :
        new long[][] {
          {Integer.MAX_VALUE, 1L << 40, 0},
          {Integer.MAX_VALUE, Long.MAX_VALUE, 0},
          {Integer.MAX_VALUE, -1, 0},
          {1, 46, Long.MAX_VALUE},
          {1, 46, -5},
          {1, 46, (1L << 62) + 1},
          {10_000_000, 460_000_000, 0},
          {1, 1 << 29, 0}
        }) {
      for (int size : new int[] {0, 200_000}) {
        byte[] zip =
            ZipEndTest.join(
                new byte[size], ZipBuilder.end((int) end[0], end[1], end[2], true, new byte[0]));
        assertThat(Zips.refusal(zip)).as("%s", Arrays.toString(end)).isNotNull();
      }
    }
  }

  @Test
  void a_bomb_is_refused_before_anything_is_allocated() {
    for (long size : new long[] {1 << 20, Bytes.MAX_SIZE, 1L << 31, 1L << 50}) {
      ZipBuilder builder = new ZipBuilder();
      builder.deflated("bomb", new byte[500_000]).size = size;
      long before = allocated();
      assertThat(Zips.refusal(Zips.open(builder.build()), "bomb"))
          .hasMessageMatching(".*(says that it inflates|do not fit into one array).*")
          .extracting(error -> error.location().storeKey())
          .isEqualTo("bomb");
      assertThat(allocated() - before).isLessThan(LITTLE);
    }
  }

  @Test
  void a_bounded_read_is_refused_by_the_size_that_the_directory_says() {
    ZipBuilder builder = new ZipBuilder();
    builder.deflated("c/0", new byte[500_000]);
    builder.add("c/1", "stored");
    ZipStore zip = Zips.open(builder.build());
    assertThatThrownBy(() -> Zips.get(zip, "c/0", ByteRange.whole(499_999)))
        .isInstanceOfSatisfying(
            ValueTooLargeException.class,
            error -> {
              assertThat(error.size()).isEqualTo(500_000);
              assertThat(error.location().storeKey()).isEqualTo("c/0");
            });
    assertThatThrownBy(() -> Zips.get(zip, "c/1", ByteRange.whole(5)))
        .isInstanceOf(ValueTooLargeException.class);
    assertThat(Zips.get(zip, "c/0", ByteRange.whole(500_000))).hasSize(500_000);
    assertThat(Zips.get(zip, "c/1", ByteRange.whole(6))).asString().isEqualTo("stored");
  }

  @Test
  void an_entry_that_inflates_to_more_than_its_stated_size_is_refused_in_a_bounded_read() {
    ZipBuilder builder = new ZipBuilder();
    builder.deflated("c/0", new byte[500_000]).size = 4;
    ZipStore zip = Zips.open(builder.build());
    assertThatThrownBy(() -> Zips.get(zip, "c/0", ByteRange.whole(4)))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("it has more than 4 bytes");
  }

  @Test
  void an_entry_whose_deflated_bytes_are_far_more_than_its_stated_size_is_refused_unread() {
    ZipBuilder builder = new ZipBuilder();
    builder.deflated("c/0", Zips.random(500_000, 1)).size = 4;
    assertThat(Zips.refusal(Zips.open(builder.build()), "c/0"))
        .hasMessageContaining("says that it inflates from 500");
  }

  @Test
  void deflate_at_its_best_is_no_bomb() {
    ZipBuilder builder = new ZipBuilder();
    builder.deflated("zeros", new byte[30_000_000]);
    assertThat(Zips.get(Zips.open(builder.build()), "zeros")).isEqualTo(new byte[30_000_000]);
  }

  @Test
  void a_deflated_entry_of_another_size_or_checksum_is_refused() {
    for (Consumer<ZipBuilder.Part> change :
        List.<Consumer<ZipBuilder.Part>>of(
            part -> part.size++,
            part -> part.size--,
            part -> part.size = 0,
            part -> part.crc++,
            part -> part.compressedSize--,
            part -> part.data[part.data.length / 2] ^= 4)) {
      ZipBuilder builder = new ZipBuilder();
      ZipBuilder.Part part =
          builder.deflated("a", "a value that is a value".repeat(9).getBytes(UTF_8));
      change.accept(part);
      assertThat(Zips.refusal(Zips.open(builder.build()), "a")).hasMessageContaining("a.zip");
    }
    ZipBuilder trailing = new ZipBuilder();
    ZipBuilder.Part part = trailing.deflated("a", new byte[100]);
    part.data = ZipEndTest.join(part.data, new byte[1]);
    part.compressedSize++;
    assertThat(Zips.refusal(Zips.open(trailing.build()), "a")).hasMessageContaining("its end");
  }

  @Test
  void a_stored_entry_of_another_size_or_checksum_is_refused() {
    ZipBuilder sizes = new ZipBuilder();
    sizes.stored("a", new byte[100]).size = 99;
    assertThat(Zips.refusal(Zips.open(sizes.build()), "a")).hasMessageContaining("cannot be 99");
    ZipBuilder checksum = new ZipBuilder();
    checksum.stored("a", new byte[100]).crc ^= 1;
    assertThat(Zips.refusal(Zips.open(checksum.build()), "a")).hasMessageContaining("CRC-32");
    ZipBuilder empty = new ZipBuilder();
    empty.stored("a", new byte[0]).crc = 1;
    assertThat(Zips.refusal(Zips.open(empty.build()), "a")).hasMessageContaining("CRC-32");
  }

  @Test
  void a_local_header_of_another_entry_is_refused() {
    ZipBuilder name = new ZipBuilder().add("a", "1").add("b", "2");
    name.parts.get(0).localName = "b".getBytes(UTF_8);
    assertThat(Zips.refusal(Zips.open(name.build()), "a")).hasMessageContaining("another name");
    ZipBuilder length = new ZipBuilder().add("a", "1");
    length.parts.get(0).localName = "ab".getBytes(UTF_8);
    assertThat(Zips.refusal(Zips.open(length.build()), "a")).isNotNull();
    ZipBuilder method = new ZipBuilder().add("a", "1");
    method.parts.get(0).localMethod = 8;
    assertThat(Zips.refusal(Zips.open(method.build()), "a")).hasMessageContaining("another method");
    ZipBuilder nothing = new ZipBuilder().add("a", "1").add("b", "2");
    nothing.parts.get(1).offset = 3;
    assertThat(Zips.refusal(Zips.open(nothing.build()), "b"))
        .hasMessageContaining("no local header at byte 3");
  }

  @Test
  void a_local_header_whose_data_run_into_the_directory_is_refused() {
    ZipBuilder builder = new ZipBuilder().add("a", "0123456789");
    byte[] zip = builder.build();
    zip[28] = 5;
    ZipStore opened = Zips.open(zip);
    assertThat(Zips.refusal(opened, "a")).hasMessageContaining("run into the central directory");
    zip[29] = (byte) 0xff;
    assertThat(Zips.refusal(Zips.open(zip), "a"))
        .hasMessageContaining("run into the central directory");
  }

  @Test
  void long_extra_fields_are_skipped() {
    for (int size : new int[] {0, 1, 63, 64, 65, 4096, 65_531}) {
      ZipBuilder builder = new ZipBuilder();
      builder.stored("s", "stored".getBytes(UTF_8)).localExtra = new byte[size];
      builder.deflated("d", "deflated".getBytes(UTF_8)).localExtra = new byte[size];
      builder.stored("end", Zips.random(100_000, 1));
      for (String key : List.of("s", "d")) {
        ZipStore zip = Zips.open(builder.build());
        assertThat(Zips.get(zip, key, new ByteRange.Slice(2, 3)))
            .asString()
            .isEqualTo(key.equals("s") ? "ore" : "fla");
        assertThat(Zips.get(zip, key))
            .asString()
            .isEqualTo(key.equals("s") ? "stored" : "deflated");
      }
    }
  }

  @Test
  void damaged_bytes_cost_a_clear_error_or_nothing() {
    ZipBuilder builder = new ZipBuilder().add("zarr.json", "{\"zarr_format\": 3}");
    builder.deflated("c/0", new byte[3000]);
    builder.stored("c/1", Zips.random(200, 1)).localExtra = new byte[100];
    builder.deflated("grün", Zips.random(100, 2)).centralExtra = new byte[12];
    builder.comment = "comment".getBytes(UTF_8);
    Random random = new Random(20_261_120);
    for (boolean zip64 : new boolean[] {false, true}) {
      builder.zip64 = zip64;
      byte[] zip = builder.build();
      for (int round = 0; round < 4000; round++) {
        byte[] damaged = zip.clone();
        for (int changes = 1 + random.nextInt(3); changes > 0; changes--) {
          int at = random.nextInt(zip.length);
          damaged[at] =
              (byte)
                  (random.nextBoolean()
                      ? damaged[at] ^ 1 << random.nextInt(8)
                      : random.nextInt(4) * 85);
        }
        readAll(damaged);
      }
    }
  }

  /** Values that are there are the right ones or errors of ours; names may have changed. */
  private static void readAll(byte[] zip) {
    long before = allocated();
    try {
      ZipStore opened = Zips.open(zip);
      for (String key : Zips.keys(opened)) {
        try {
          Zips.get(opened, key, new ByteRange.Suffix(5));
          Zips.get(opened, StoreKey.of(key).value());
        } catch (StoreException e) {
          assertThat(e.location().storeKey()).isIn(key, Zips.KEY.value());
        }
      }
    } catch (StoreException e) {
      assertThat(e.location().storeKey()).isEqualTo(Zips.KEY.value());
    } catch (RuntimeException e) {
      fail("not ours, for " + java.util.HexFormat.of().formatHex(zip), e);
    }
    assertThat(allocated() - before).isLessThan(LITTLE);
  }

  /** By this thread and by those that read directories and inflate. */
  private static long allocated() {
    var threads =
        (com.sun.management.ThreadMXBean) java.lang.management.ManagementFactory.getThreadMXBean();
    long[] bytes = threads.getThreadAllocatedBytes(threads.getAllThreadIds());
    return Arrays.stream(bytes).filter(count -> count > 0).sum();
  }

  @Test
  void an_entry_that_the_heap_cannot_hold_is_an_error(@TempDir Path directory) throws Exception {
    Path zip = directory.resolve("bomb.zip");
    byte[] zeros = new byte[1 << 20];
    try (ZipOutputStream out = new ZipOutputStream(Files.newOutputStream(zip))) {
      out.putNextEntry(new ZipEntry("c/1"));
      for (int i = 0; i < 400; i++) {
        out.write(zeros);
      }
      out.putNextEntry(new ZipEntry("c/0"));
      out.write(new byte[] {1, 2, 3});
    }
    try (ChildProcess small = ChildProcess.start(SmallHeapUnzipping.class, zip.toString())) {
      assertThat(small.line()).contains("MemoryExhaustedException", "419430400 bytes", "key c/1");
      assertThat(small.line()).isEqualTo("3 bytes");
    }
  }
}
