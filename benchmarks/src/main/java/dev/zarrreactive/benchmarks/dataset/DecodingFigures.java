package dev.zarrreactive.benchmarks.dataset;

import dev.zarrreactive.Zarr;
import dev.zarrreactive.ZarrArray;
import dev.zarrreactive.ZarrHierarchy;
import dev.zarrreactive.array.Chunk;
import dev.zarrreactive.array.ChunkWork;
import dev.zarrreactive.array.ElementConversion;
import dev.zarrreactive.array.ElementMemory;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.array.selection.Selection;
import dev.zarrreactive.base.StorePrefix;
import dev.zarrreactive.cf.CfDecoding;
import dev.zarrreactive.codec.Blosc.Compressor;
import dev.zarrreactive.codec.Codecs;
import dev.zarrreactive.dataset.Dataset;
import dev.zarrreactive.dataset.Variable;
import dev.zarrreactive.datatype.DataType;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.extension.NamedConfiguration;
import dev.zarrreactive.json.JsonNumber;
import dev.zarrreactive.json.JsonObject;
import dev.zarrreactive.metadata.ArrayMetadata;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.store.file.FileSystemStore;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.function.Function;
import reactor.core.publisher.Mono;

/**
 * Prints what decoding adds to three ways to read an array of 4096 × 4096 in files, in chunks of
 * 512 × 512: all of it at once, a stream of its chunks, and one chunk after the other, into new
 * memory and into memory that is used again. Arguments are codecs: {@code none}, {@code lz4},
 * {@code blosc-zstd}, {@code zstd} and {@code gzip}; the first may be {@code packed}, for packed
 * {@code int16} alone. Raw, decoded and constant take turns; the ratios are those of the medians. A
 * constant read writes as many bytes as the decoded one, and computes nothing: what it adds is the
 * price of new memory.
 */
public final class DecodingFigures {
  private static final int EXTENT = 4096;
  private static final int CHUNK = 512;
  private static final int WARM = 12;
  private static final int TIMES = 25;
  private static final Case PACKED = new Case(DataTypes.INT16, packed());
  private static final List<Case> CASES =
      List.of(
          new Case(DataTypes.FLOAT32, with("_FillValue", "1e20")),
          new Case(DataTypes.INT16, with("_FillValue", "-32767")),
          new Case(DataTypes.INT32, packed()),
          PACKED,
          new Case(DataTypes.UINT8, with("scale_factor", "0.5")));

  private DecodingFigures() {}

  private record Case(DataType type, JsonObject attributes) {}

  /** Prints a table in Markdown. */
  public static void main(String[] arguments) throws IOException {
    List<String> codecs = new ArrayList<>(List.of(arguments));
    List<Case> cases = codecs.remove("packed") ? List.of(PACKED) : CASES;
    if (codecs.isEmpty()) {
      codecs.addAll(List.of("none", "lz4", "blosc-zstd", "zstd", "gzip"));
    }
    PrintStream out = System.out;
    out.println(
        "| codec | stored | decoded | bytes | read | constant | chunks | constant | chunk |"
            + " constant | into memory | constant |");
    out.println("|---|---|---|---|---|---|---|---|---|---|---|---|");
    for (String codec : codecs) {
      for (Case each : cases) {
        Path directory = Files.createTempDirectory("decoding");
        Store store = FileSystemStore.open(directory);
        print(out, Zarr.hierarchy(store), codec, each.type(), each.attributes());
        store.erasePrefix(StorePrefix.ROOT).block();
        Files.deleteIfExists(directory);
      }
    }
    System.exit(0);
  }

  private static JsonObject packed() {
    return with("_FillValue", "-32767")
        .with("scale_factor", new JsonNumber("0.0012"))
        .with("add_offset", new JsonNumber("285.0"));
  }

  private static NamedConfiguration[] codecs(String name, DataType type) {
    return switch (name) {
      case "none" -> new NamedConfiguration[0];
      case "lz4" -> new NamedConfiguration[] {blosc(Compressor.LZ4, type)};
      case "blosc-zstd" -> new NamedConfiguration[] {blosc(Compressor.ZSTD, type)};
      case "zstd" -> new NamedConfiguration[] {Codecs.zstd(3)};
      case "gzip" -> new NamedConfiguration[] {Codecs.gzip(5)};
      default -> throw new IllegalArgumentException(name);
    };
  }

  private static NamedConfiguration blosc(Compressor compressor, DataType type) {
    return Codecs.blosc(compressor).shuffle().typesize(type.itemSize());
  }

  private static JsonObject with(String name, String number) {
    return JsonObject.EMPTY.with(name, new JsonNumber(number));
  }

  private static void print(
      PrintStream out,
      ZarrHierarchy hierarchy,
      String codec,
      DataType type,
      JsonObject attributes) {
    ArrayMetadata array =
        ArrayMetadata.v3(Shape.of(EXTENT, EXTENT), type)
            .chunkShape(CHUNK, CHUNK)
            .compressors(codecs(codec, type))
            .attributes(attributes)
            .build();
    Random random = new Random(17);
    int[] values = new int[EXTENT * EXTENT];
    for (int i = 0; i < values.length; i++) {
      values[i] = i % 1000 == 0 ? -32767 : (int) (2000 * Math.sin(i / 9e4)) + random.nextInt(64);
    }
    NdArray data =
        NdArray.ofInts(DataTypes.INT32, array.shape(), type.itemSize() == 1 ? low(values) : values)
            .cast(type);
    hierarchy.createArray("a", array).flatMap(a -> a.write(Selection.all(), data)).block();
    Variable decoded = Dataset.open(hierarchy, "").block().variable("a");
    Variable raw = decoded.raw();
    DataType made = decoded.dataType();
    ZarrArray work = raw.array();
    Constant constant = new Constant(made);
    ConstantChunks constants = new ConstantChunks(type, constant);
    double[] read =
        ratios(
            () -> raw.read().block(),
            () -> decoded.read().block(),
            () -> work.read(Selection.all(), constant).block());
    double[] chunks =
        ratios(
            () -> raw.chunks().blockLast(),
            () -> decoded.chunks().blockLast(),
            () -> work.chunks(Selection.all(), constants).blockLast());
    CfDecoding by = decoded.decoding();
    double[] chunk =
        ratios(
            () -> forEachChunk(box -> raw.array().read(box)),
            () -> forEachChunk(box -> by.read(raw.array(), box)),
            () -> forEachChunk(box -> work.read(box, constant)));
    ByteBuffer memory = ByteBuffer.allocate(CHUNK * CHUNK * made.itemSize());
    double[] again =
        ratios(
            () -> forEachChunk(box -> raw.array().readInto(box, memory)),
            () -> forEachChunk(box -> decoded.readInto(box, memory)),
            () -> forEachChunk(box -> work.readInto(box, constant, memory)));
    out.printf(
        Locale.ROOT,
        "| %s | %s | %s | × %d | %.2f | %.2f | %.2f | %.2f | %.2f | %.2f | %.2f | %.2f |%n",
        codec,
        type,
        made,
        made.itemSize() / type.itemSize(),
        read[0],
        read[1],
        chunks[0],
        chunks[1],
        chunk[0],
        chunk[1],
        again[0],
        again[1]);
  }

  private static void forEachChunk(Function<Selection, Mono<?>> read) {
    for (int row = 0; row < EXTENT; row += CHUNK) {
      for (int column = 0; column < EXTENT; column += CHUNK) {
        read.apply(
                Selection.parse(row + ":" + (row + CHUNK) + "," + column + ":" + (column + CHUNK)))
            .block();
      }
    }
  }

  /** Writes as many bytes as values of the type have. */
  private record Constant(DataType target) implements ElementConversion {
    @Override
    public void convert(byte[] source, int at, int count, ElementMemory result, int first) {
      int to = result.slot(first);
      Arrays.fill((byte[]) result.array(), to, to + count * target.itemSize(), (byte) 1);
    }
  }

  /** Makes arrays of constants of chunks. */
  private record ConstantChunks(DataType stored, Constant constant) implements ChunkWork<NdArray> {
    @Override
    public NdArray apply(Chunk chunk) {
      return constant.convert(chunk.data());
    }

    @Override
    public int growth() {
      return constant.target().itemSize() / stored.itemSize();
    }

    @Override
    public boolean retainsChunk() {
      return false;
    }
  }

  private static int[] low(int... values) {
    return Arrays.stream(values).map(value -> value & 0x7f).toArray();
  }

  /** Returns the times of some work ÷ those of the first. */
  private static double[] ratios(Runnable... work) {
    long[][] times = new long[work.length][TIMES];
    for (int i = -WARM; i < TIMES; i++) {
      for (int k = 0; k < work.length; k++) {
        long began = System.nanoTime();
        work[k].run();
        if (i >= 0) {
          times[k][i] = System.nanoTime() - began;
        }
      }
    }
    double[] ratios = new double[work.length - 1];
    Arrays.sort(times[0]);
    for (int k = 1; k < work.length; k++) {
      Arrays.sort(times[k]);
      ratios[k - 1] = times[k][TIMES / 2] / (double) times[0][TIMES / 2];
    }
    return ratios;
  }
}
