package dev.zarrreactive.benchmarks.cost;

import com.sun.management.ThreadMXBean;
import dev.zarrreactive.Zarr;
import dev.zarrreactive.ZarrArray;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.array.selection.Selection;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.metadata.ArrayMetadata;
import dev.zarrreactive.metadata.ArrayMetadataBuilder;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.store.memory.MemoryStore;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.Locale;
import java.util.Random;
import java.util.concurrent.atomic.LongAdder;
import reactor.core.publisher.Hooks;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

/**
 * Prints the costs of reads within this process. Up to the commit that divided the packages it also
 * ran with the jar of the first edition on the class path; that form measures the first edition.
 *
 * <pre>
 * inner               the costs of an inner chunk, and of the subscriber's thread
 * create LOCATION     creates the arrays of the next two, in files
 * slices LOCATION     the warm-up curve of slices of inner chunks
 * chunks LOCATION     the warm-up curve of reads of 12 chunks
 * </pre>
 */
public final class CostFigures {
  /** The reads whose times are printed. */
  private static final int[] READS = {1, 2, 5, 20, 100, 800};

  private static final int WARM = 60;
  private static final int TIMES = 21;
  private static final Selection SLICE = Selection.parse("3:67,5:69,7:71");

  private CostFigures() {}

  /** Runs a part, and prints a table in Markdown. */
  public static void main(String[] arguments) {
    String part = arguments.length == 0 ? "inner" : arguments[0];
    switch (part) {
      case "inner" -> inner(System.out);
      case "create" -> create(Zarr.store(arguments[1]).block());
      case "slices" -> curve(arguments[1], "slices", SLICE, System.out);
      case "chunks" -> curve(arguments[1], "chunks", Selection.all(), System.out);
      default -> throw new IllegalArgumentException("inner, create, slices or chunks");
    }
    System.exit(0);
  }

  /** Creates an array of {@code shards} × 2 × 2 shards of 64³ bytes with inner chunks of 16³. */
  private static ZarrArray sharded(Store store, String path, long shards) {
    ArrayMetadataBuilder metadata =
        ArrayMetadata.v3(Shape.of(64 * shards, 128, 128), DataTypes.UINT8)
            .chunkShape(16, 16, 16)
            .shardShape(64, 64, 64)
            .uncompressed();
    return written(store, path, metadata);
  }

  private static ZarrArray written(Store store, String path, ArrayMetadataBuilder metadata) {
    ZarrArray array = Zarr.hierarchy(store).createArray(path, metadata.build()).block();
    byte[] random = new byte[array.shape().elementCount().intValueExact()];
    new Random(1).nextBytes(random);
    array.write(Selection.all(), NdArray.ofBytes(DataTypes.UINT8, array.shape(), random)).block();
    return Zarr.hierarchy(store).openArray(path).block();
  }

  private static void create(Store store) {
    sharded(store, "slices", 2);
    written(
        store,
        "chunks",
        ArrayMetadata.v3(Shape.of(12, 256, 256), DataTypes.UINT8)
            .uncompressed()
            .chunkShape(1, 256, 256));
  }

  /** Prints the times of the first reads of this JVM, each into a new result. */
  private static void curve(String location, String path, Selection selection, PrintStream out) {
    ZarrArray array = Zarr.hierarchy(Zarr.store(location).block()).openArray(path).block();
    StringBuilder row = new StringBuilder("| ").append(path).append(" |");
    int printed = 0;
    for (int read = 1; read <= READS[READS.length - 1]; read++) {
      double millis = millis(() -> array.read(selection).block());
      if (read == READS[printed]) {
        printed++;
        row.append(String.format(Locale.ROOT, " %.1f |", millis));
      }
    }
    out.println(row);
  }

  private static void inner(PrintStream out) {
    out.println("| reads of inner chunks of 16³ bytes, from memory | |\n|---|---|");
    ZarrArray array = sharded(MemoryStore.create(), "a", 40);
    long inners = 40L * 4 * 4 * 4 * 2 * 2;
    costs("whole shards", array, Selection.all(), inners, out);
    costs("a slice", array, SLICE, 5 * 5 * 5, out);
    print(
        out,
        "milliseconds on the subscriber's thread, " + inners + " inner chunks",
        subscriber(array));
  }

  private static void costs(
      String name, ZarrArray array, Selection selection, long inners, PrintStream out) {
    long result = 0;
    for (int i = 0; i < WARM; i++) {
      result = array.read(selection).block().shape().elementCount().longValueExact();
    }
    String of = name + ", " + inners + " inner chunks: ";
    print(out, of + "operators of each", (double) operators(array, selection) / inners);
    double[] millis = new double[TIMES];
    long before = allocated();
    for (int i = 0; i < TIMES; i++) {
      millis[i] = millis(() -> array.read(selection).block());
    }
    double beyond = (double) (allocated() - before) / TIMES - result;
    print(out, of + "bytes of each beyond the result", beyond / inners);
    print(out, of + "milliseconds", median(millis));
  }

  /** Returns the number of operators that a read assembles. */
  private static long operators(ZarrArray array, Selection selection) {
    LongAdder operators = new LongAdder();
    Hooks.onEachOperator(
        "count",
        each -> {
          operators.increment();
          return each;
        });
    array.read(selection).block();
    Hooks.resetOnEachOperator("count");
    return operators.sum();
  }

  private static double millis(Runnable work) {
    long begun = System.nanoTime();
    work.run();
    return (System.nanoTime() - begun) / 1e6;
  }

  private static double median(double[] values) {
    Arrays.sort(values);
    return values[values.length / 2];
  }

  /** Returns the bytes that all threads have allocated. */
  private static long allocated() {
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    return Arrays.stream(threads.getThreadAllocatedBytes(threads.getAllThreadIds())).sum();
  }

  /** Returns the time that a subscription takes before it returns to its caller. */
  private static double subscriber(ZarrArray array) {
    double[] millis = new double[TIMES];
    for (int i = 0; i < TIMES; i++) {
      Sinks.Empty<Void> over = Sinks.empty();
      Mono<NdArray> read = array.read(Selection.all()).doFinally(end -> over.tryEmitEmpty());
      millis[i] = millis(read::subscribe);
      over.asMono().block();
    }
    return median(millis);
  }

  private static void print(PrintStream out, String name, double value) {
    out.println(String.format(Locale.ROOT, "| %s | %.3f |", name, value));
  }
}
