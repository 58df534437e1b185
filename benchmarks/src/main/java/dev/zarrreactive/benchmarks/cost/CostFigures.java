package dev.zarrreactive.benchmarks.cost;

import com.sun.management.GarbageCollectionNotificationInfo;
import com.sun.management.OperatingSystemMXBean;
import com.sun.management.ThreadMXBean;
import dev.zarrreactive.Zarr;
import dev.zarrreactive.ZarrArray;
import dev.zarrreactive.ZarrHierarchy;
import dev.zarrreactive.ZarrOptions;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.array.selection.Selection;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.base.StorePrefix;
import dev.zarrreactive.codec.Blosc;
import dev.zarrreactive.codec.Codecs;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.error.NodeNotFoundException;
import dev.zarrreactive.metadata.ArrayMetadata;
import dev.zarrreactive.metadata.ArrayMetadataBuilder;
import dev.zarrreactive.store.ListEntry;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.store.memory.MemoryStore;
import java.io.PrintStream;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryUsage;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.concurrent.atomic.LongAccumulator;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongConsumer;
import javax.management.NotificationEmitter;
import javax.management.openmbean.CompositeData;
import reactor.core.publisher.Flux;
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
 * tiny                the processor time of a chunk of 32 bytes beyond the store's own
 * memory LOCATION     the heap of reads of 256 MiB; creates the arrays at first
 * </pre>
 */
public final class CostFigures {
  /** The reads whose times are printed. */
  private static final int[] READS = {1, 2, 5, 20, 100, 800};

  private static final int WARM = 60;
  private static final int TIMES = 21;
  private static final int TURNS = 5;
  private static final int GREY = 512;
  private static final Selection SLICE = Selection.parse("3:67,5:69,7:71");

  private CostFigures() {}

  /** Runs a part, and prints a table in Markdown. */
  public static void main(String[] arguments) {
    String part = arguments.length == 0 ? "inner" : arguments[0];
    switch (part) {
      case "inner" -> inner(System.out);
      case "create" -> create(Zarr.at(arguments[1]).store().block());
      case "slices" -> curve(arguments[1], "slices", SLICE, System.out);
      case "chunks" -> curve(arguments[1], "chunks", Selection.all(), System.out);
      case "tiny" -> tiny(System.out);
      case "memory" -> memory(arguments[1], System.out);
      default ->
          throw new IllegalArgumentException("inner, create, slices, chunks, tiny or memory");
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

  /**
   * Prints how long after its start this JVM has its first result, and the times of its first
   * reads, each into a new result.
   */
  private static void curve(String location, String path, Selection selection, PrintStream out) {
    ZarrArray array = Zarr.hierarchy(Zarr.at(location).store().block()).openArray(path).block();
    StringBuilder row = new StringBuilder("| ").append(path).append(" |");
    int printed = 0;
    for (int read = 1; read <= READS[READS.length - 1]; read++) {
      double millis = millis(() -> array.read(selection).block());
      if (read == 1) {
        row.append(String.format(Locale.ROOT, " %d |", sinceStart().toMillis()));
      }
      if (read == READS[printed]) {
        printed++;
        row.append(String.format(Locale.ROOT, " %.1f |", millis));
      }
    }
    out.println(row);
  }

  private static Duration sinceStart() {
    return Duration.between(
        ProcessHandle.current().info().startInstant().orElseThrow(), Instant.now());
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

  /** Reads 100,000 chunks of 32 bytes in turns with requests for their keys alone. */
  private static void tiny(PrintStream out) {
    int chunks = 100_000;
    Store store = MemoryStore.create();
    ZarrArray array =
        written(
            store,
            "a",
            ArrayMetadata.v3(Shape.of(32L * chunks), DataTypes.UINT8)
                .chunkShape(32)
                .uncompressed());
    Flux<Bytes> alone =
        Flux.range(0, chunks).flatMap(chunk -> store.get(StoreKey.of("a/c/" + chunk)), 64);
    double[] beyond = new double[TIMES];
    for (int turn = -WARM; turn < TIMES; turn++) {
      double nanos =
          processorNanos(() -> array.read(Selection.all()).block())
              - processorNanos(() -> alone.blockLast());
      if (turn >= 0) {
        beyond[turn] = nanos / chunks / 1_000;
      }
    }
    out.println("| reads of chunks of 32 bytes, from memory | |\n|---|---|");
    print(out, "microseconds of a processor for each, beyond the store's", median(beyond));
  }

  /** Reads 256 MiB from files with each codec, with 64 MiB in flight. */
  private static void memory(String location, PrintStream out) {
    Store store = Zarr.at(location).store().block();
    ZarrHierarchy hierarchy =
        Zarr.hierarchy(store, ZarrOptions.defaults().withMaxInFlightBytes(64 << 20));
    LongAccumulator peak = new LongAccumulator(Math::max, 0);
    afterCollections(peak::accumulate);
    long result = 2L * GREY * GREY * GREY;
    out.println("| reads of 256 MiB | |\n|---|---|");
    for (String codec : List.of("none", "zstd", "gzip", "blosc", "shards")) {
      ZarrArray array =
          hierarchy
              .openArray(codec)
              .onErrorResume(NodeNotFoundException.class, missing -> grey(hierarchy, codec))
              .block();
      long before = 0;
      for (int turn = -TURNS; turn < TURNS; turn++) {
        collect();
        if (turn == 0) {
          before = allocated();
          peak.reset();
        }
        array.read(Selection.all()).block();
      }
      long encoded =
          store
              .listValues(StorePrefix.of(codec + "/"))
              .mapNotNull(ListEntry.Key::size)
              .reduce(0L, Long::sum)
              .block();
      long each = (allocated() - before) / TURNS;
      print(
          out,
          codec + ": bytes allocated ÷ (result + encoded)",
          (double) each / (result + encoded));
      print(
          out,
          codec + ": most MiB after a collection, beyond the result",
          (peak.get() - result) / 1048576.0);
    }
  }

  /** Collects the last result, once the threads that made it have left it, and is told of it. */
  private static void collect() {
    for (int i = 0; i < 2; i++) {
      Mono.delay(Duration.ofMillis(200)).block();
      System.gc();
    }
    Mono.delay(Duration.ofMillis(200)).block();
  }

  /** Tells the bytes that are in use after each collection from now on. */
  private static void afterCollections(LongConsumer used) {
    for (GarbageCollectorMXBean collector : ManagementFactory.getGarbageCollectorMXBeans()) {
      ((NotificationEmitter) collector)
          .addNotificationListener(
              (notification, none) ->
                  used.accept(
                      GarbageCollectionNotificationInfo.from(
                              (CompositeData) notification.getUserData())
                          .getGcInfo()
                          .getMemoryUsageAfterGc()
                          .values()
                          .stream()
                          .mapToLong(MemoryUsage::getUsed)
                          .sum()),
              null,
              null);
    }
  }

  /** Creates an array of 512³ uint16, of which half of the bits are random. */
  private static Mono<ZarrArray> grey(ZarrHierarchy hierarchy, String codec) {
    ArrayMetadataBuilder metadata =
        ArrayMetadata.v3(Shape.of(GREY, GREY, GREY), DataTypes.UINT16).chunkShape(64, 64, 64);
    switch (codec) {
      case "none" -> metadata.uncompressed();
      case "gzip" -> metadata.compressors(Codecs.gzip(1));
      case "blosc" -> metadata.compressors(Codecs.blosc(Blosc.Compressor.LZ4));
      case "shards" -> metadata.shardShape(256, 256, 256).compressors(Codecs.zstd(1));
      default -> metadata.compressors(Codecs.zstd(1));
    }
    short[] values = new short[GREY * GREY * GREY];
    Random random = new Random(1);
    for (int i = 0; i < values.length; i++) {
      values[i] = (short) (i / GREY + random.nextInt(256));
    }
    NdArray data = NdArray.ofShorts(DataTypes.UINT16, Shape.of(GREY, GREY, GREY), values);
    return hierarchy
        .createArray(codec, metadata.build())
        .flatMap(array -> array.write(Selection.all(), data).thenReturn(array));
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

  private static double processorNanos(Runnable work) {
    OperatingSystemMXBean system =
        (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
    long begun = system.getProcessCpuTime();
    work.run();
    return system.getProcessCpuTime() - begun;
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
