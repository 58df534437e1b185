package dev.zarrreactive.store.zip;

import static dev.zarrreactive.store.StoreCapability.LIST;
import static dev.zarrreactive.store.StoreCapability.PARTIAL_READ;
import static dev.zarrreactive.store.StoreCapability.READ;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.zarrreactive.base.ByteRange;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.base.StorePrefix;
import dev.zarrreactive.error.StoreException;
import dev.zarrreactive.store.Precondition;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.store.memory.MemoryStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.zip.CRC32;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What real programs write is read. */
class ZipStoreTest {
  private static final Map<String, byte[]> VALUES = new TreeMap<>();

  static {
    byte[] squares = new byte[500];
    for (int i = 0; i < squares.length; i++) {
      squares[i] = (byte) (i * i % 251);
    }
    VALUES.put("zarr.json", "{\"zarr_format\":3}".getBytes(UTF_8));
    VALUES.put("c/0/0", squares);
    VALUES.put("c/0/1", new byte[500]);
    VALUES.put("c/0/2", new byte[0]);
    VALUES.put("grün/日本", "grün".getBytes(UTF_8));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "info-zip",
        "info-zip-streamed",
        "info-zip-zip64",
        "python-stored",
        "python-streamed",
        "python-zip64-local",
        "python-behind-a-program"
      })
  void archives_of_other_programs_are_read(String name) {
    ZipStore zip = Zips.open(Zips.resource(name + ".zip"));
    assertThat(Zips.keys(zip)).containsExactlyElementsOf(VALUES.keySet());
    VALUES.forEach((key, value) -> assertThat(Zips.get(zip, key)).as(key).isEqualTo(value));
    assertThat(Zips.get(zip, "c/0/0", new ByteRange.Slice(100, 9)))
        .isEqualTo(java.util.Arrays.copyOfRange(VALUES.get("c/0/0"), 100, 109));
  }

  @ParameterizedTest
  @ValueSource(strings = {"info-zip-encrypted", "info-zip-bzip2", "python-lzma"})
  void what_cannot_be_decoded_is_listed_and_refused_by_name(String name) {
    ZipStore zip = Zips.open(Zips.resource(name + ".zip"));
    assertThat(Zips.keys(zip)).contains("c/0/0", "zarr.json");
    assertThat(Zips.refusal(zip, "c/0/0"))
        .hasMessageContaining(
            name.endsWith("encrypted") ? "encrypted" : name.endsWith("lzma") ? "LZMA" : "bzip2")
        .extracting(error -> error.location().storeKey())
        .isEqualTo("c/0/0");
    assertThatThrownBy(() -> Zips.get(zip, "c/0/0", new ByteRange.Slice(0, 1)))
        .isInstanceOf(StoreException.class);
  }

  @Test
  void an_archive_of_thousands_of_entries_is_what_the_jdk_finds_in_it(@TempDir Path directory)
      throws Exception {
    Path file = directory.resolve("thousands.zip");
    Random random = new Random(6);
    try (ZipOutputStream out = new ZipOutputStream(Files.newOutputStream(file))) {
      for (int i = 0; i < 3000; i++) {
        if (i % 10 == 0) {
          out.putNextEntry(new ZipEntry("a" + i + "/"));
        }
        byte[] value = new byte[random.nextInt(3000)];
        if (i % 3 == 0) { // what cannot be compressed, beside zeros
          random.nextBytes(value);
        }
        ZipEntry entry = new ZipEntry("a" + i / 10 * 10 + "/c/" + i);
        if (i % 7 == 0) {
          CRC32 crc = new CRC32();
          crc.update(value);
          entry.setMethod(ZipEntry.STORED);
          entry.setSize(value.length);
          entry.setCrc(crc.getValue());
        }
        out.putNextEntry(entry);
        out.write(value);
      }
    }
    ZipStore zip = Zips.await(ZipStore.open(file));
    try (ZipFile expected = new ZipFile(file.toFile())) {
      var entries = expected.stream().filter(entry -> !entry.isDirectory()).toList();
      assertThat(Zips.keys(zip))
          .containsExactlyInAnyOrderElementsOf(entries.stream().map(e -> e.getName()).toList());
      for (int i = 0; i < entries.size(); i += 17) {
        byte[] value = expected.getInputStream(entries.get(i)).readAllBytes();
        String key = entries.get(i).getName();
        assertThat(Zips.get(zip, key)).as(key).isEqualTo(value);
      }
    }
  }

  @Test
  void of_entries_with_one_name_the_last_is_the_value() {
    ZipBuilder builder = new ZipBuilder().add("a", "first").add("b", "b").add("a", "second");
    ZipStore zip = Zips.open(builder.add("a/b", "below").add("a", "third").build());
    assertThat(Zips.keys(zip)).containsExactly("a", "a/b", "b");
    assertThat(Zips.get(zip, "a")).asString().isEqualTo("third");
    assertThat(Zips.get(zip, "b")).asString().isEqualTo("b");
  }

  @Test
  void directories_are_no_values() {
    ZipStore zip =
        Zips.open(
            new ZipBuilder().add("a/", "").add("a/b/", "").add("c", "c").add("/", "").build());
    assertThat(Zips.keys(zip)).containsExactly("c");
    assertThat(Zips.await(zip.listDir(StorePrefix.of("a/")))).isEmpty();
  }

  @Test
  void an_empty_archive_is_an_empty_store() {
    ZipStore zip = Zips.open(new ZipBuilder().build());
    assertThat(Zips.keys(zip)).isEmpty();
    assertThat(Zips.get(zip, "a")).isNull();
    assertThat(Zips.keys(Zips.open(zip64(new ZipBuilder()).build()))).isEmpty();
  }

  @Test
  void a_name_without_the_flag_is_code_page_437_or_what_unix_wrote() {
    ZipBuilder builder = new ZipBuilder();
    byte[] umlauts = {(byte) 0x81, (byte) 0xe1, 'a'};
    ZipBuilder.Part dos = builder.stored("", new byte[] {1});
    dos.flags = 0;
    dos.name = umlauts;
    dos.localName = umlauts;
    ZipBuilder.Part unix = builder.stored("grün", new byte[] {2});
    unix.flags = 0;
    unix.host = 3;
    ZipBuilder.Part odd = builder.stored("", new byte[] {3});
    odd.flags = 0;
    odd.host = 3;
    odd.name = new byte[] {(byte) 0x80};
    odd.localName = odd.name;
    ZipStore zip = Zips.open(builder.build());
    assertThat(Zips.keys(zip)).containsExactlyInAnyOrder("üßa", "grün", "Ç");
    assertThat(Zips.get(zip, "üßa")).containsExactly(1);
    assertThat(Zips.get(zip, "grün")).containsExactly(2);
    assertThat(Zips.get(zip, "Ç")).containsExactly(3);
  }

  @Test
  void code_page_437_is_that_of_the_jdk() {
    ZipBuilder builder = new ZipBuilder();
    byte[] upper = new byte[128];
    for (int i = 0; i < 128; i++) {
      upper[i] = (byte) (128 + i);
    }
    ZipBuilder.Part part = builder.stored("", new byte[0]);
    part.flags = 0;
    part.name = upper;
    part.localName = upper;
    assertThat(Zips.keys(Zips.open(builder.build())))
        .containsExactly(new String(upper, java.nio.charset.Charset.forName("IBM437")));
  }

  @Test
  void a_unicode_path_field_names_the_entry_where_it_was_made_for_it() {
    ZipBuilder builder = new ZipBuilder();
    for (int version = 1; version <= 2; version++) {
      ZipBuilder.Part part = builder.stored("plain" + version, new byte[] {1});
      part.flags = 0;
      byte[] unicode = ("grün" + version).getBytes(UTF_8);
      var field = ZipBuilder.buffer(5 + unicode.length).put((byte) 1);
      field.putInt(ZipBuilder.crc("plain1".getBytes(UTF_8))).put(unicode);
      part.centralExtra = ZipBuilder.extra(0x7075, ZipBuilder.taken(field));
    }
    ZipStore zip = Zips.open(builder.build());
    assertThat(Zips.keys(zip)).containsExactly("grün1", "plain2");
    assertThat(Zips.get(zip, "grün1")).containsExactly(1);
  }

  @Test
  void capabilities_are_those_of_what_is_in_it() {
    ZipBuilder deflated = new ZipBuilder();
    deflated.deflated("a", new byte[100]);
    assertThat(Zips.open(deflated.build()).capabilities()).containsExactlyInAnyOrder(READ, LIST);
    deflated.stored("b", new byte[100]);
    assertThat(Zips.open(deflated.build()).capabilities())
        .containsExactlyInAnyOrder(READ, LIST, PARTIAL_READ);
  }

  @Test
  void nothing_can_be_written() {
    ZipStore zip = Zips.open(new ZipBuilder().build());
    assertThatThrownBy(() -> Zips.await(zip.set(StoreKey.of("a"), Bytes.EMPTY, Precondition.NONE)))
        .hasMessageContaining("WRITE");
  }

  @Test
  void keys_are_listed_in_the_order_of_their_utf8_bytes() {
    ZipBuilder builder = new ZipBuilder().add("b", "").add("\uffee", "").add("a!", "");
    builder.add("a/x", "").add("a/\uD83D\uDE00", "").add("\uD83D\uDE00", "").add("a0", "");
    ZipStore zip = Zips.open(builder.build());
    assertThat(Zips.keys(zip))
        .containsExactly("a!", "a/x", "a/\uD83D\uDE00", "a0", "b", "\uffee", "\uD83D\uDE00");
    assertThat(Zips.await(zip.listPrefix(StorePrefix.of("a/")).map(StoreKey::value)))
        .containsExactly("a/x", "a/\uD83D\uDE00");
    assertThat(Zips.await(zip.listDir(StorePrefix.ROOT).map(entry -> entry.name())))
        .containsExactly("a!", "a", "a0", "b", "\uffee", "\uD83D\uDE00");
  }

  @Test
  void a_missing_archive_is_an_error_and_so_is_one_that_went_away() {
    Store store = MemoryStore.create();
    assertThatThrownBy(() -> Zips.open(store))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining(Zips.KEY.value());
    ZipBuilder builder = new ZipBuilder().add("a", "a");
    builder.stored("large", Zips.random(100_000, 1));
    Store holding = Zips.holding(builder.build());
    ZipStore zip = Zips.open(holding);
    Zips.await(holding.erase(Zips.KEY));
    assertThat(Zips.refusal(zip, "large")).hasMessageContaining("not there any more");
  }

  @Test
  void a_file_is_opened_by_its_path(@TempDir Path directory) throws IOException {
    Path file = Files.write(directory.resolve("a b.zip"), new ZipBuilder().add("a", "1").build());
    ZipStore zip = Zips.await(ZipStore.open(file));
    assertThat(Zips.get(zip, "a")).asString().isEqualTo("1");
    assertThat(zip.toString()).startsWith("ZipStore[a b.zip in FileSystemStore[file:///");
    assertThatThrownBy(() -> ZipStore.open(Path.of("/")))
        .isInstanceOf(IllegalArgumentException.class);
  }

  static ZipBuilder zip64(ZipBuilder builder) {
    builder.zip64 = true;
    return builder;
  }
}
