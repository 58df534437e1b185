package dev.zarrreactive.cli;

import static dev.zarrreactive.cli.CommandRun.EARTH;
import static dev.zarrreactive.cli.CommandRun.zarr;
import static org.assertj.core.api.Assertions.assertThat;

import dev.zarrreactive.cli.console.Terminal;
import dev.zarrreactive.testing.Cases;
import dev.zarrreactive.testing.Sampled;
import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ImportCommandTest {
  @TempDir Path directory;

  private String in(String name) {
    return directory.resolve(name).toString();
  }

  private static CommandRun good(String... arguments) {
    CommandRun run = zarr(arguments);
    assertThat(run.exitCode()).as(run.err()).isZero();
    return run;
  }

  private static void refused(String message, String... arguments) {
    CommandRun run = zarr(arguments);
    assertThat(run.exitCode()).as(run.out()).isOne();
    assertThat(run.err()).startsWith("zarr: error: ").contains(message).hasLineCount(1);
  }

  private static byte[] read(String path, String... more) {
    String[] arguments = Arrays.copyOf(new String[] {"read", path}, 2 + more.length);
    System.arraycopy(more, 0, arguments, 2, more.length);
    return good(arguments).output();
  }

  private static String json(String path) {
    return new String(read(path, "--format=json"), StandardCharsets.UTF_8).replace("\n", " ");
  }

  private static byte[] npy(int version, String descr, boolean fortran, String shape, byte[] data) {
    String header =
        "{'descr': %s, 'fortran_order': %s, 'shape': %s, }\n"
            .formatted(descr, fortran ? "True" : "False", shape);
    byte[] text = header.getBytes(StandardCharsets.UTF_8);
    int before = version == 1 ? 10 : 12;
    ByteBuffer file =
        ByteBuffer.allocate(before + text.length + data.length).order(ByteOrder.LITTLE_ENDIAN);
    file.put((byte) 0x93).put("NUMPY".getBytes(StandardCharsets.US_ASCII));
    file.put((byte) version).put((byte) 0);
    if (version == 1) {
      file.putShort((short) text.length);
    } else {
      file.putInt(text.length);
    }
    return file.put(text).put(data).array();
  }

  private String npyFile(int version, String descr, boolean fortran, String shape, byte[] data)
      throws IOException {
    Path file = directory.resolve("x.npy");
    Files.write(file, npy(version, descr, fortran, shape, data));
    return file.toString();
  }

  private static byte[] counting(int size) {
    byte[] bytes = new byte[size];
    for (int i = 0; i < size; i++) {
      bytes[i] = (byte) (i * 7 + i / 251);
    }
    return bytes;
  }

  @ParameterizedTest
  @CsvSource({
    "|i1, int8, 1",
    "<i2, int16, 2",
    "<i4, int32, 4",
    "<i8, int64, 8",
    "|u1, uint8, 1",
    "<u2, uint16, 2",
    "<u4, uint32, 4",
    "<u8, uint64, 8",
    "<f2, float16, 2",
    "<f4, float32, 4",
    "<f8, float64, 8",
    "<c8, complex64, 8",
    "<c16, complex128, 16",
    "<M8[ns], numpy.datetime64[ns], 8",
    "<M8[25s], numpy.datetime64[25s], 8",
    "<m8[D], numpy.timedelta64[D], 8",
    "<m8, numpy.timedelta64, 8",
    "|S3, null_terminated_bytes, 3",
    "<U3, fixed_length_utf32, 12",
    "|V5, r40, 5",
  })
  @Sampled
  void every_type_of_numpy_becomes_its_own_and_goes_back(String descr, String type, int size)
      throws IOException {
    byte[] data = counting(5 * 7 * size);
    int last = Cases.some(type.length() % 3 + 1, 3);
    for (int version = Cases.some(last, 1); version <= last; version++) {
      String file = npyFile(version, "'" + descr + "'", false, "(5, 7)", data);
      String array = in("v" + version);
      assertThat(good("import", file, array, "--chunks=2,3").out())
          .startsWith("Imported an array of " + type)
          .endsWith(" [5, 7] in chunks of [2, 3].\n");
      assertThat(read(array, "--format=raw")).isEqualTo(data);
      assertThat(new String(read(array, "--format=npy"), StandardCharsets.ISO_8859_1))
          .contains("'descr': '" + descr + "'");
    }
  }

  @Test
  void big_endian_elements_are_turned() throws IOException {
    byte[] data = ByteBuffer.allocate(16).putInt(1).putInt(-2).putInt(300).putInt(4).array();
    good("import", npyFile(1, "'>i4'", false, "(4,)", data), in("a"));
    assertThat(json(in("a"))).isEqualTo("1 -2 300 4 ");
    byte[] complex = ByteBuffer.allocate(16).putDouble(1.5).putDouble(-2).array();
    good("import", npyFile(1, "'>c16'", false, "(1,)", complex), in("c"));
    assertThat(json(in("c"))).isEqualTo("[1.5,-2.0] ");
    byte[] text = ByteBuffer.allocate(8).putInt('a').putInt('b').array();
    good("import", npyFile(1, "'>U2'", false, "(1,)", text), in("u"));
    assertThat(json(in("u"))).isEqualTo("\"ab\" ");
  }

  @Test
  void structs_lose_their_padding() throws IOException {
    ByteBuffer data = ByteBuffer.allocate(24).order(ByteOrder.LITTLE_ENDIAN);
    for (int i = 0; i < 2; i++) {
      data.put((byte) i).put(new byte[3]).putInt(10 * i);
      data.order(ByteOrder.BIG_ENDIAN).putInt(i + 5).order(ByteOrder.LITTLE_ENDIAN);
    }
    String descr = "[('a', '|i1'), ('', '|V3'), ('é', '<i4'), ('c', [('d', '>i4')])]";
    String file = npyFile(3, descr, false, "(2,)", data.array());
    good("import", file, in("s"));
    assertThat(new String(read(in("s")), StandardCharsets.UTF_8))
        .contains(
            "struct{a: int8, é: int32, c: struct{d: int32}} [2]", "[(0, 0, (5,)) (1, 10, (6,))]");
  }

  @ParameterizedTest
  @ValueSource(strings = {"--chunks=2,3,4", "--chunks=4,6,5", "--chunks=1,1,1", "--chunks=9,9,9"})
  void fortran_order_is_turned_around(String chunks) throws IOException {
    int[] shape = {4, 6, 5};
    byte[] fortran = new byte[120];
    byte[] c = counting(120);
    for (int i = 0; i < 4; i++) {
      for (int j = 0; j < 6; j++) {
        for (int k = 0; k < 5; k++) {
          fortran[i + 4 * (j + 6 * k)] = c[(i * 6 + j) * 5 + k];
        }
      }
    }
    good("import", npyFile(1, "'|u1'", true, Arrays.toString(shape), fortran), in("f"), chunks);
    assertThat(read(in("f"), "--format=raw")).isEqualTo(c);
    good("import", npyFile(1, "'|u1'", false, Arrays.toString(shape), c), in("c"), chunks);
    assertThat(read(in("c"), "--format=raw")).isEqualTo(c);
  }

  @Test
  void arrays_of_any_shape_are_imported() throws IOException {
    good("import", npyFile(1, "'<i2'", false, "()", new byte[] {7, 1}), in("scalar"));
    assertThat(json(in("scalar"))).isEqualTo("263 ");
    good("import", npyFile(2, "'<i2'", true, "(0L, 3)", new byte[0]), in("empty"));
    assertThat(json(in("empty"))).isEmpty();
    byte[] many = counting(3_000_000);
    String file = npyFile(1, "'<f4'", false, "(750000,)", many);
    good("import", file, in("g/many"), "--shards=500000", "--chunks=1000", "--codecs=none");
    assertThat(read(in("g/many"), "--format=raw")).isEqualTo(many);
    assertThat(good("info", in("g/many")).out()).contains("shards of [500000]");
  }

  @Test
  void the_options_of_create_are_those_of_a_new_array() throws IOException {
    String file = npyFile(1, "'<f4'", false, "(2, 2)", new byte[16]);
    good("import", file, in("a"), "--dimensions=y,x", "--fill=NaN", "--codecs=gzip:1");
    assertThat(good("info", in("a")).out()).contains("y, x", "NaN", "gzip");
    good("import", file, in("v2"), "--format=2", "--dimensions=y,x", "-q");
    assertThat(directory.resolve("v2/.zarray")).exists();
    assertThat(good("import", file, in("n"), "--dry-run").out())
        .isEqualTo("Would make an array of float32 [2, 2] in chunks of [2, 2].\n");
    assertThat(directory.resolve("n")).doesNotExist();
    refused("a node exists here", "import", file, in("a"));
  }

  @Test
  void bytes_without_a_meaning_get_one() throws IOException {
    byte[] data = {0, 0, (byte) 0x80, 0x3f, 0, 0, 0, 0}; // bfloat16 0, 1, 0, 0
    String file = npyFile(1, "'|V2'", false, "(4,)", data);
    good("import", file, in("b"), "--dtype=bfloat16");
    assertThat(json(in("b"))).isEqualTo("0.0 1.0 0.0 0.0 ");
    CommandRun other = zarr("import", file, in("d"), "--dtype=float32");
    assertThat(other.exitCode()).isEqualTo(2);
    assertThat(other.err()).contains("r16, not float32");
  }

  @Test
  void raw_elements_have_the_shape_that_the_user_says() throws IOException {
    Path file = directory.resolve("x.bin");
    Files.write(file, new byte[] {1, 0, 2, 0, 3, 0, 4, 0, 5, 0, 6, 0});
    good("import", file.toString(), in("a"), "--dtype=int16", "--shape=2,3");
    assertThat(json(in("a"))).isEqualTo("1 2 3 4 5 6 ");
    good("import", file.toString(), in("b"), "--dtype=int16", "--shape=6", "--byte-order=big");
    assertThat(json(in("b"))).startsWith("256 512 ");
    refused(
        "the file has 12 bytes of elements, and int16 [2, 2] has 8",
        "import",
        file.toString(),
        in("c"),
        "--dtype=int16",
        "--shape=2,2");
    assertThat(directory.resolve("c")).doesNotExist();
  }

  @Test
  void a_table_becomes_rows_and_columns() throws IOException {
    Path file = directory.resolve("t.csv");
    Files.writeString(file, "\ufefflat, \"lon\"\r\n1,2.5\r\n\r\n-3e2,\r\nnan,inf\r\n");
    assertThat(good("import", file.toString(), in("a")).out())
        .isEqualTo("Imported an array of float64 [3, 2] in chunks of [3, 2].\n");
    assertThat(json(in("a"))).isEqualTo("1.0 2.5 -300.0 \"NaN\" \"NaN\" \"Infinity\" ");
    Files.writeString(file, "1\n2\n300\n");
    good("import", file.toString(), in("b"), "--dtype=uint16");
    assertThat(json(in("b"))).isEqualTo("1 2 300 ");
    refused("300", "import", file.toString(), in("c"), "--dtype=uint8");
    assertThat(directory.resolve("c/zarr.json")).doesNotExist();
    Files.writeString(file, "18446744073709551615;1\n0; 2\n");
    good("import", file.toString(), in("d"), "--dtype=uint64");
    assertThat(json(in("d"))).isEqualTo("18446744073709551615 1 0 2 ");
    Files.writeString(file, "  1   0\n true False\n");
    good("import", file.toString(), in("e"), "--dtype=bool");
    assertThat(json(in("e"))).isEqualTo("true false true false ");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "1,2;3 | float64 | line 2 has 1 cells, and the first line has 2",
        "1,2;3,x | float64 | line 2, cell 2: expected a number of float64, found x",
        "1,2;3, | int8 | line 2, cell 2: expected a number of int8, found nothing",
        "1,2;3,4.5 | int8 | line 2, cell 2: expected a number of int8, found 4.5",
        "1,2 | string | a table of numbers cannot become string",
        "'' | int8 | the table is empty",
      })
  void a_broken_table_leaves_nothing(String lines, String type, String message) throws IOException {
    Path file = directory.resolve("t.csv");
    Files.writeString(file, lines.replace(";", "\n"));
    refused(message, "import", file.toString(), in("a"), "--dtype=" + type);
    assertThat(directory.resolve("a/zarr.json")).doesNotExist();
  }

  @ParameterizedTest
  @CsvSource({
    BufferedImage.TYPE_BYTE_GRAY + ", 1, uint8",
    BufferedImage.TYPE_USHORT_GRAY + ", 1, uint16",
    BufferedImage.TYPE_3BYTE_BGR + ", 3, uint8",
    BufferedImage.TYPE_4BYTE_ABGR + ", 4, uint8",
  })
  void a_picture_becomes_its_samples(int kind, int samples, String type) throws IOException {
    BufferedImage image = new BufferedImage(37, 23, kind);
    StringBuilder expected = new StringBuilder();
    for (int y = 0; y < 23; y++) {
      for (int x = 0; x < 37; x++) {
        for (int band = 0; band < samples; band++) {
          int value = (x * 31 + y * 17 + band * 90) % (type.equals("uint8") ? 256 : 65_536);
          image
              .getRaster()
              .setSample(x, y, band, type.equals("uint8") ? value : value * 60 % 65_536);
          expected.append(type.equals("uint8") ? value : value * 60 % 65_536).append(' ');
        }
      }
    }
    ImageIO.write(image, "png", directory.resolve("p.png").toFile());
    assertThat(good("import", in("p.png"), in("a")).out())
        .startsWith(
            "Imported an array of " + type + " [23, 37" + (samples > 1 ? ", " + samples : ""));
    assertThat(json(in("a"))).isEqualTo(expected.toString());
  }

  @ParameterizedTest
  @ValueSource(ints = {BufferedImage.TYPE_BYTE_BINARY, BufferedImage.TYPE_BYTE_INDEXED})
  void palettes_become_colours(int kind) throws IOException {
    BufferedImage image = new BufferedImage(11, 3, kind);
    StringBuilder expected = new StringBuilder();
    for (int y = 0; y < 3; y++) {
      for (int x = 0; x < 11; x++) {
        image.setRGB(x, y, (x + y) % 2 == 0 ? 0xffffffff : 0xff000000);
        expected.append((x + y) % 2 == 0 ? "255 255 255 " : "0 0 0 ");
      }
    }
    ImageIO.write(image, "png", directory.resolve("p.png").toFile());
    good("import", in("p.png"), in("a"));
    String found = json(in("a"));
    assertThat(found)
        .isIn(expected.toString(), expected.toString().replaceAll("(\\d+) \\1 \\1", "$1"));
  }

  @Test
  void a_picture_that_was_written_is_read() throws IOException {
    good("read", EARTH + "/earth/rgb", "-o", in("rgb.png"));
    good("import", in("rgb.png"), in("rgb"), "--chunks=60,90,3");
    assertThat(read(in("rgb"), "--format=raw"))
        .isEqualTo(read(EARTH + "/earth/rgb", "--format=raw"));
    byte[] picture = Files.readAllBytes(directory.resolve("rgb.png"));
    for (int cut : new int[] {4, 30, 1000, picture.length / 2}) {
      Files.write(directory.resolve("cut.png"), Arrays.copyOf(picture, cut));
      refused("PNG", "import", in("cut.png"), in("cut"), "--from=png");
    }
    picture[5000] ^= 1;
    Files.write(directory.resolve("cut.png"), picture);
    refused("a checksum is wrong", "import", in("cut.png"), in("cut"));
    assertThat(directory.resolve("cut/zarr.json")).doesNotExist();
  }

  @Test
  void standard_input_is_a_file() throws IOException {
    byte[] file = npy(1, "'<i2'", false, "(3,)", new byte[] {1, 0, 2, 0, 3, 0});
    CommandRun run = CommandRun.fed(file, Terminal.NONE, "import", "-", in("a"));
    assertThat(run.exitCode()).as(run.err()).isZero();
    assertThat(json(in("a"))).isEqualTo("1 2 3 ");
    CommandRun table =
        CommandRun.fed(
            "1,2\n".getBytes(StandardCharsets.UTF_8), Terminal.NONE, "import", "-", in("b"));
    assertThat(table.exitCode()).isEqualTo(2);
    assertThat(table.err()).contains("The format of standard input is unknown; --from npy, raw");
    byte[] more = npy(1, "'>i2'", true, "(2,)", new byte[] {0, 4, 0, 5});
    CommandRun append = CommandRun.fed(more, Terminal.NONE, "append", in("a"), "-");
    assertThat(append.err()).isEmpty();
    assertThat(append.out()).isEqualTo("Grown from [3] to [5].\n");
    assertThat(json(in("a"))).isEqualTo("1 2 3 4 5 ");
  }

  @Test
  void a_numpy_file_is_appended_along_any_axis() throws IOException {
    byte[] first = counting(12);
    good("import", npyFile(1, "'|u1'", false, "(3, 4)", first), in("a"), "--chunks=2,2");
    byte[] more = {100, 101, 102, 103, 104, 105};
    assertThat(
            good("append", in("a"), npyFile(1, "'|u1'", false, "(3, 2)", more), "--axis=1").out())
        .isEqualTo("Grown from [3, 4] to [3, 6].\n");
    assertThat(read(in("a"), "--format=raw", "--select=:,4:")).isEqualTo(more);
    good("append", in("a"), npyFile(1, "'|u1'", true, "(1, 6)", more));
    assertThat(read(in("a"), "--format=raw", "--select=3")).isEqualTo(more);
    refused("int8", "append", in("a"), npyFile(1, "'|i1'", false, "(1, 6)", more));
    refused("cannot be appended", "append", in("a"), npyFile(1, "'|u1'", false, "(6,)", more));
    refused("no such file", "append", in("a"), in("none.npy"));
    Files.writeString(directory.resolve("bad.npy"), "x");
    refused("bad.npy: not a NumPy file", "append", in("a"), in("bad.npy"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "'O' | (3,) | objects of Python",
        "'<f16' | (3,) | Zarr has no data type for <f16",
        "'<i3' | (3,) | no data type for <i3",
        "'<M8[xx]' | (3,) | no data type for [xx]",
        "'<U0' | (3,) | <U0",
        "'<i2' | (4,) | the file has 6 bytes of elements, and int16 [4] has 8",
        "'<i2' | (-3,) | shape",
        "'<i2' | 3 | lacks one of descr",
        "[('a', '<i2', (2,))] | (3,) | no data type for",
        "{{ | (3,) | the header of the NumPy file is broken",
        "'<i2' | (9223372036854775807, 9223372036854775807) | the file has 6 bytes",
      })
  void a_broken_or_foreign_file_is_refused(String descr, String shape, String message)
      throws IOException {
    refused(message, "import", npyFile(1, descr, false, shape, new byte[6]), in("a"));
    assertThat(directory.resolve("a")).doesNotExist();
  }

  @Test
  void a_header_that_is_cut_off_is_refused() throws IOException {
    byte[] whole = npy(2, "'<i2'", false, "(3,)", new byte[6]);
    for (int size : new int[] {7, 9, 11, 30}) {
      Files.write(directory.resolve("x.npy"), Arrays.copyOf(whole, size));
      refused("NumPy file", "import", in("x.npy"), in("a"), "--from=npy");
    }
    ByteArrayOutputStream huge = new ByteArrayOutputStream();
    huge.write(whole, 0, 8);
    huge.write(new byte[] {-1, -1, -1, -1});
    Files.write(directory.resolve("x.npy"), huge.toByteArray());
    refused("4294967295 bytes, too many", "import", in("x.npy"), in("a"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "import | Missing required parameters",
        "import EARTH/zarr.json x | The format of",
        "import EARTH/zarr.json x --from tiff | expected npy, raw, csv, png; found tiff",
        "import EARTH/zarr.json x --from raw | Raw elements need --dtype and --shape",
        "import EARTH/zarr.json x --from csv --shape 3 | --shape and --byte-order are for raw",
        "import EARTH/zarr.json x --from png --dtype int8 | --dtype is not for png",
        "import x.npy x --byte-order middle | expected little, big; found middle",
        "import x.npy x --dtype int9 | int9",
        "import x.npy x.zip | A zip archive is written at once",
      })
  void wrong_usage(String line, String message) {
    CommandRun run = zarr(line.replace("EARTH", EARTH.toString()).split(" "));
    assertThat(run.exitCode()).as(run.err()).isEqualTo(2);
    assertThat(run.err()).contains(message);
  }

  @Test
  void a_missing_file_and_a_directory_are_refused() {
    refused("no such file", "import", in("none.npy"), in("a"));
    refused("this is no file", "import", directory.toString(), in("a"));
  }

  /** A file of 24 chunks of 8 MiB, whose elements are all 7. */
  private String sevens() throws IOException {
    byte[] chunk = new byte[8 << 20];
    Arrays.fill(chunk, (byte) 7);
    Path file = directory.resolve("sevens.bin");
    try (OutputStream out = Files.newOutputStream(file)) {
      for (int i = 0; i < 24; i++) {
        out.write(chunk);
      }
    }
    return file.toString();
  }

  @Test
  void an_interrupted_import_is_no_array_and_is_resumed_where_it_ended() throws IOException {
    String[] line = {
      "import",
      sevens(),
      in("h.zarr/a"),
      "--dtype=uint8",
      "--shape=24,8388608",
      "--chunks=1,8388608"
    };
    good(line);
    Path array = directory.resolve("h.zarr/a");
    byte[] whole = Files.readAllBytes(array.resolve("c/0/0"));
    Files.move(array.resolve("zarr.json"), array.resolve("zarr.json.partial"));
    Files.delete(array.resolve("c/23/0"));
    Files.write(array.resolve("c/21/0"), new byte[] {1}); // within the last 64 MiB
    Files.write(array.resolve("c/2/0"), new byte[] {1}); // before them
    for (String command : List.of("info", "read", "stats", "tree", "validate")) {
      refused("an unfinished copy or import (zarr.json.partial)", command, array.toString());
    }
    assertThat(zarr("validate", in("h.zarr")).out())
        .contains("a/zarr.json.partial: left by an unfinished copy, import or append");
    refused("--resume continues an unfinished import, --overwrite replaces a node", line);
    good(with("--resume", line));
    assertThat(array.resolve("zarr.json.partial")).doesNotExist();
    assertThat(array.resolve("c/21/0")).hasBinaryContent(whole);
    assertThat(array.resolve("c/23/0")).hasBinaryContent(whole);
    assertThat(array.resolve("c/2/0")).as("is not written again").hasBinaryContent(new byte[] {1});
    good(with("--overwrite", line));
    assertThat(array.resolve("c/2/0")).hasBinaryContent(whole);
    assertThat(good(with("--resume", line)).out()).startsWith("Imported an array");
    String[] other = with("--resume", line);
    other[5] = "--chunks=1,1024";
    refused("other metadata than the new one", other);
    CommandRun both = zarr(with("--overwrite", with("--resume", line)));
    assertThat(both.exitCode()).isEqualTo(2);
    assertThat(both.err()).contains("--resume and --overwrite cannot both be wanted");
  }

  private static String[] with(String option, String... line) {
    String[] longer = Arrays.copyOf(line, line.length + 1);
    longer[line.length] = option;
    return longer;
  }

  @Test
  void a_store_without_room_keeps_an_unfinished_array_and_says_what_helps() throws IOException {
    TestStoreProvider.isEnlarged = false;
    byte[] data = counting(100);
    data[0] = 1;
    String file = npyFile(1, "'|u1'", false, "(10, 10)", data);
    String at = "test://full/import.zarr";
    refused(
        at
            + " is unfinished, and no reader takes it for an array; the same command with --resume"
            + " continues the import, with --overwrite it starts again, zarr rm erases it",
        "import",
        file,
        at,
        "--chunks=1,10");
    refused("an unfinished copy or import", "info", at);
    TestStoreProvider.isEnlarged = true;
    good("import", file, at, "--chunks=1,10", "--resume");
    assertThat(read(at, "--format=raw")).isEqualTo(data);
    TestStoreProvider.isEnlarged = false;
    refused(
        "test://full/copied is an unfinished copy; the same command with --resume continues it,"
            + " with --overwrite it starts again",
        "copy",
        at,
        "test://full/copied");
  }

  @Test
  void a_new_array_makes_the_group_that_its_path_names() throws IOException {
    String file = npyFile(1, "'|u1'", false, "(2,)", new byte[] {1, 2});
    assertThat(good("import", file, in("new.zarr/deep/a")).out())
        .isEqualTo(
            "Created the group "
                + in("new.zarr")
                + " and imported an array of uint8 [2] in chunks of [2].\n");
    assertThat(good("tree", in("new.zarr")).out()).contains("deep", "a  uint8 [2]");
    good("import", file, in("plain/a"));
    assertThat(good("tree", in("plain")).out()).contains("a  uint8 [2]");
    good("import", file, in("other/a.zarr"));
    assertThat(directory.resolve("other/a.zarr/zarr.json")).exists();
    assertThat(directory.resolve("other/zarr.json")).as("the array is the root").doesNotExist();
    Files.createDirectories(directory.resolve("full"));
    Files.writeString(directory.resolve("full/notes.txt"), "");
    good("import", file, in("full/a"));
    assertThat(directory.resolve("full/zarr.json")).as("is no new directory").doesNotExist();
    good("import", file, in("v2.zarr/a"), "--format=2");
    assertThat(directory.resolve("v2.zarr/.zgroup")).exists();
    assertThat(directory.resolve("v2.zarr/zarr.json")).doesNotExist();
    assertThat(directory.resolve("zarr.json")).doesNotExist();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "x.nc | xarray.open_dataset('{}').to_zarr('new.zarr')",
        "x.HDF5 | xarray.open_dataset('{}').to_zarr('new.zarr')",
        "x.grib2 | xarray.open_dataset('{}', engine='cfgrib').to_zarr('new.zarr')",
        "x.tif | gdal_translate -of ZARR {} new.zarr",
        "x.h5ad | anndata.read_h5ad('{}').write_zarr('new.zarr')",
        "x.parquet | zarr import reads tables as CSV",
      })
  void a_file_of_another_format_is_answered_with_the_program_that_reads_it(
      String name, String program) throws IOException {
    Path file = Files.createFile(directory.resolve(name));
    CommandRun run = zarr("import", file.toString(), in("new.zarr/a"));
    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.err())
        .contains("The format of " + file + " is unknown; --from npy, raw, csv or png names it")
        .contains(program.replace("{}", file.toString()));
  }
}
