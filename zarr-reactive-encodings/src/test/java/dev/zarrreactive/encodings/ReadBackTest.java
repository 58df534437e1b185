package dev.zarrreactive.encodings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.array.selection.Selection;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.datatype.DataType;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.datatype.NullTerminatedBytesType;
import dev.zarrreactive.datatype.NumpyUnit;
import dev.zarrreactive.datatype.StructField;
import dev.zarrreactive.internal.files.CsvTable;
import dev.zarrreactive.internal.files.ElementFile;
import dev.zarrreactive.internal.files.ItemLayout;
import dev.zarrreactive.internal.files.NpyHeader;
import dev.zarrreactive.internal.files.PngPicture;
import dev.zarrreactive.internal.files.RowFile;
import dev.zarrreactive.internal.files.UnreadableFileException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.lifecycle.AfterTry;
import net.jqwik.api.lifecycle.BeforeTry;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/** What the encodings write is what the readers of files read. */
class ReadBackTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private static final List<DataType> TYPES =
      List.of(
          DataTypes.BOOL,
          DataTypes.INT8,
          DataTypes.UINT16,
          DataTypes.INT64,
          DataTypes.FLOAT16,
          DataTypes.FLOAT64,
          DataTypes.COMPLEX64,
          DataTypes.raw(24),
          DataTypes.fixedLengthUtf32(3),
          new NullTerminatedBytesType(5),
          DataTypes.datetime64(NumpyUnit.SECOND, 10),
          DataTypes.struct(
              new StructField("a", DataTypes.INT16), new StructField("b", DataTypes.COMPLEX64)));

  private Scheduler reader = Schedulers.immediate();
  private Path file = Path.of("");

  @BeforeTry
  @BeforeEach
  void create() throws IOException {
    file = Files.createTempFile("read-back", ".file");
    reader = Schedulers.newBoundedElastic(1, 100, "reader-of-the-test");
  }

  @AfterTry
  @AfterEach
  void delete() throws IOException {
    Files.delete(file);
    reader.dispose();
  }

  private static NdArray random(DataType type, Shape shape, Random random) {
    byte[] images = new byte[shape.byteSize(type.itemSize())];
    random.nextBytes(images);
    if (type.equals(DataTypes.BOOL)) {
      for (int i = 0; i < images.length; i++) {
        images[i] &= 1;
      }
    }
    return NdArray.wrap(type, shape, Bytes.wrap(images));
  }

  private ElementFile npy() throws IOException {
    try (InputStream in = Files.newInputStream(file)) {
      NpyHeader header = NpyHeader.parse(in);
      return ElementFile.npy(file, header, header.layout());
    }
  }

  @Property(tries = 80)
  void any_box_of_a_numpy_file_is_read_back(@ForAll long seed) throws IOException {
    Random random = new Random(seed);
    DataType type = TYPES.get(random.nextInt(TYPES.size()));
    Shape shape = Shape.of(random.longs(random.nextInt(4), 1, 6).toArray());
    NdArray data = random(type, shape, random);
    Files.write(file, Encoded.bytes(Encoded.array(data), Encodings.npy()));
    ElementFile npy = npy();
    assertThat(npy.dataType()).isEqualTo(type);
    assertThat(npy.shape()).isEqualTo(shape);
    long[] from = new long[shape.rank()];
    long[] extents = new long[shape.rank()];
    StringBuilder box = new StringBuilder("...");
    for (int d = 0; d < from.length; d++) {
      from[d] = random.nextInt((int) shape.extent(d));
      extents[d] = 1 + random.nextInt((int) (shape.extent(d) - from[d]));
      box.append(d == 0 ? "" : ",").append(from[d]).append(':').append(from[d] + extents[d]);
    }
    Selection selection = Selection.parse(from.length == 0 ? "..." : box.substring(3));
    try (FileChannel channel = npy.open()) {
      assertThat(npy.read(channel, from, extents))
          .isEqualTo(Encoded.array(data).read(selection).block(PATIENCE));
    }
  }

  @Property(tries = 50)
  void slabs_of_a_file_in_either_order_are_its_elements(@ForAll long seed) throws IOException {
    Random random = new Random(seed);
    Shape shape = Shape.of(1 + random.nextInt(7), 1 + random.nextInt(7));
    NdArray data = random(DataTypes.INT32, shape, random);
    byte[] header = NpyHeader.of(DataTypes.INT32, shape).toByteArray();
    boolean isFortran = random.nextBoolean();
    if (isFortran) {
      String text = new String(header, StandardCharsets.ISO_8859_1);
      header =
          text.replace("'fortran_order': False", "'fortran_order': True ")
              .getBytes(StandardCharsets.ISO_8859_1);
    }
    byte[] elements = (isFortran ? data.transpose(1, 0) : data).bytes().toByteArray();
    Files.write(file, header);
    Files.write(file, elements, StandardOpenOption.APPEND);
    int axis = random.nextInt(2);
    long rows = 1 + random.nextInt(4);
    List<NdArray> slabs = npy().slabs(axis, rows, reader).collectList().block(PATIENCE);
    long next = 0;
    for (NdArray slab : slabs) {
      long end = next + slab.shape().extent(axis);
      String part = next + ":" + end;
      assertThat(slab)
          .isEqualTo(data.slice(Selection.parse(axis == 0 ? part + ",:" : ":," + part)));
      assertThat(slab.shape().extent(axis)).isEqualTo(Math.min(rows, shape.extent(axis) - next));
      next = end;
    }
    assertThat(next).isEqualTo(shape.extent(axis));
  }

  @Property(tries = 40)
  void pixels_of_a_picture_are_read_back(@ForAll long seed) throws IOException {
    Random random = new Random(seed);
    DataType type = random.nextBoolean() ? DataTypes.UINT8 : DataTypes.UINT16;
    long[] plane = {1 + random.nextInt(20), 1 + random.nextInt(20), 3 + random.nextInt(2)};
    Shape shape = Shape.of(random.nextBoolean() ? plane : Arrays.copyOf(plane, 2));
    NdArray data = random(type, shape, random);
    Files.write(file, Encoded.bytes(Encoded.array(data), Encodings.png()));
    RowFile picture = PngPicture.of(file);
    assertThat(picture.dataType()).isEqualTo(type);
    assertThat(picture.shape()).isEqualTo(shape);
    List<NdArray> blocks = picture.blocks(share -> {}, reader).collectList().block(PATIENCE);
    assertThat(blocks).containsExactly(data);
  }

  @Test
  void a_table_is_read_in_blocks_of_rows() throws IOException {
    int rows = 300_000;
    StringBuilder text = new StringBuilder("a;b\n");
    for (int row = 0; row < rows; row++) {
      text.append(row).append(';').append(-row).append('\n');
    }
    Files.writeString(file, text);
    RowFile table = CsvTable.of(file, DataTypes.INT32);
    assertThat(table.shape()).isEqualTo(Shape.of(rows, 2));
    List<Double> progress = new ArrayList<>();
    List<NdArray> blocks = table.blocks(progress::add, reader).collectList().block(PATIENCE);
    assertThat(blocks).hasSizeGreaterThan(2).hasSameSizeAs(progress);
    int row = 0;
    for (NdArray block : blocks) {
      int[] values = block.toIntArray();
      for (int i = 0; i < values.length; i += 2) {
        assertThat(values[i]).isEqualTo(row);
        assertThat(values[i + 1]).isEqualTo(-row++);
      }
    }
    assertThat(row).isEqualTo(rows);
  }

  @Test
  void a_file_of_another_size_than_its_array_is_refused() throws IOException {
    Files.write(file, new byte[11]);
    ItemLayout layout = ItemLayout.of(DataTypes.INT16, ByteOrder.BIG_ENDIAN);
    assertThatThrownBy(() -> ElementFile.raw(file, layout, Shape.of(6)))
        .isInstanceOf(UnreadableFileException.class)
        .hasMessage("the file has 11 bytes of elements, and int16 [6] has 12");
  }

  @Test
  void a_cut_picture_and_a_cut_header_say_so() throws IOException {
    NdArray data = random(DataTypes.UINT8, Shape.of(9, 9), new Random(1));
    byte[] png = Encoded.bytes(Encoded.array(data), Encodings.png());
    Files.write(file, Arrays.copyOf(png, png.length / 2));
    assertThatThrownBy(() -> PngPicture.of(file).blocks(share -> {}, reader).blockLast(PATIENCE))
        .isInstanceOf(UnreadableFileException.class)
        .hasMessageContaining("cut off");
    byte[] npy = Encoded.bytes(Encoded.array(data), Encodings.npy());
    Files.write(file, Arrays.copyOf(npy, 30));
    assertThatThrownBy(this::npy)
        .isInstanceOf(UnreadableFileException.class)
        .hasMessage("the NumPy file ends in its header");
  }
}
