package dev.zarrreactive.benchmarks.dataset;

import dev.zarrreactive.Zarr;
import dev.zarrreactive.ZarrHierarchy;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.array.selection.Selection;
import dev.zarrreactive.dataset.Dataset;
import dev.zarrreactive.dataset.Variable;
import dev.zarrreactive.datatype.DataType;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.json.JsonNumber;
import dev.zarrreactive.json.JsonObject;
import dev.zarrreactive.metadata.ArrayMetadata;
import dev.zarrreactive.store.memory.MemoryStore;
import java.io.PrintStream;
import java.util.Arrays;
import java.util.Locale;
import java.util.Random;

/**
 * Prints what decoding adds to a read and to a stream of chunks: an array of 4096 × 4096 in memory,
 * in chunks of 512 × 512, zstd. Raw and decoded take turns; the ratio is that of the medians.
 */
public final class DecodingFigures {
  private static final int EXTENT = 4096;
  private static final int WARM = 30;
  private static final int TIMES = 41;

  private DecodingFigures() {}

  /** Prints a table in Markdown. */
  public static void main(String[] arguments) {
    PrintStream out = System.out;
    out.println("| stored | decoded | bytes | read | chunks |");
    out.println("|---|---|---|---|---|");
    JsonObject fill = with("_FillValue", "-32767");
    JsonObject packed =
        fill.with("scale_factor", new JsonNumber("0.0012"))
            .with("add_offset", new JsonNumber("285.0"));
    print(out, DataTypes.FLOAT32, with("_FillValue", "1e20"));
    print(out, DataTypes.FLOAT64, with("_FillValue", "1e20"));
    print(out, DataTypes.INT16, fill);
    print(out, DataTypes.INT32, packed);
    print(out, DataTypes.INT16, packed);
    print(out, DataTypes.UINT8, with("scale_factor", "0.5"));
    System.exit(0);
  }

  private static JsonObject with(String name, String number) {
    return JsonObject.EMPTY.with(name, new JsonNumber(number));
  }

  private static void print(PrintStream out, DataType type, JsonObject attributes) {
    ZarrHierarchy hierarchy = Zarr.hierarchy(MemoryStore.create());
    ArrayMetadata array =
        ArrayMetadata.v3(Shape.of(EXTENT, EXTENT), type)
            .chunkShape(512, 512)
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
    double read = ratio(() -> raw.read().block(), () -> decoded.read().block());
    double chunks = ratio(() -> raw.chunks().blockLast(), () -> decoded.chunks().blockLast());
    out.printf(
        Locale.ROOT,
        "| %s | %s | × %d | %.2f | %.2f |%n",
        type,
        decoded.dataType(),
        decoded.dataType().itemSize() / type.itemSize(),
        read,
        chunks);
  }

  private static int[] low(int... values) {
    return Arrays.stream(values).map(value -> value & 0x7f).toArray();
  }

  private static double ratio(Runnable raw, Runnable decoded) {
    long[] of = new long[TIMES];
    long[] by = new long[TIMES];
    for (int i = -WARM; i < TIMES; i++) {
      long began = System.nanoTime();
      decoded.run();
      long between = System.nanoTime();
      raw.run();
      if (i >= 0) {
        of[i] = between - began;
        by[i] = System.nanoTime() - between;
      }
    }
    Arrays.sort(of);
    Arrays.sort(by);
    return of[TIMES / 2] / (double) by[TIMES / 2];
  }
}
