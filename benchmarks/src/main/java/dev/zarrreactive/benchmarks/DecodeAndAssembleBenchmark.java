package dev.zarrreactive.benchmarks;

import dev.zarrreactive.Zarr;
import dev.zarrreactive.ZarrArray;
import dev.zarrreactive.ZarrOptions;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.array.selection.Selection;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.extension.NamedConfiguration;
import dev.zarrreactive.metadata.ArrayMetadata;
import dev.zarrreactive.store.memory.MemoryStore;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/**
 * A whole array of 32 chunks of 1 MiB, read from memory: the pipeline against the codec's library
 * called directly, chunk after chunk straight into the result, and against a plain copy. Each makes
 * a new result of 32 MiB; each decodes on one thread, so that the difference is what the pipeline
 * adds.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Fork(value = 2, jvmArgs = "-Xmx2g")
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class DecodeAndAssembleBenchmark {
  private static final int CHUNKS = 32;
  private static final int CHUNK_BYTES = 1 << 20;

  /** The codec, with the settings that are used most. */
  @Param({
    "bytes",
    "crc32c",
    "gzip",
    "zstd",
    "blosc-lz4",
    "blosc-lz4-shuffle",
    "blosc-zstd-shuffle"
  })
  private String codec = "bytes";

  private final List<Bytes> stored = new ArrayList<>();
  private Scheduler oneThread;
  private ZarrArray array;
  private LibraryDecoder library;
  private byte[] plain;

  /** Writes the array. */
  @Setup(Level.Trial)
  public void write() {
    oneThread = Schedulers.newParallel("benchmark-codec", 1, true);
    NamedConfiguration[] compressors = BenchmarkCodecs.configuration(codec);
    int elements = CHUNK_BYTES / Float.BYTES;
    ArrayMetadata metadata =
        ArrayMetadata.v3(Shape.of((long) CHUNKS * elements), DataTypes.FLOAT32)
            .chunkShape(elements)
            .compressors(compressors)
            .build();
    array =
        Objects.requireNonNull(
            Zarr.hierarchy(
                    MemoryStore.create(), ZarrOptions.defaults().withCodecScheduler(oneThread))
                .createArray("", metadata)
                .block());
    NdArray data = BenchmarkCodecs.measurements(CHUNKS * elements);
    array.write(Selection.all(), data).block();
    stored.clear();
    for (int i = 0; i < CHUNKS; i++) {
      stored.add(Objects.requireNonNull(array.readEncodedChunk(i).block()));
    }
    plain = data.bytes().toByteArray();
    library = BenchmarkCodecs.library(codec);
    if (!read().equals(data) || !Bytes.wrap(library()).equals(data.bytes())) {
      throw new IllegalStateException(codec + " does not give back what was written");
    }
  }

  /** Ends the codec thread. */
  @TearDown(Level.Trial)
  public void end() {
    oneThread.dispose();
  }

  /** The pipeline. */
  @Benchmark
  public NdArray read() {
    return Objects.requireNonNull(array.read(Selection.all()).block());
  }

  /** The codec's library, called directly. */
  @Benchmark
  public byte[] library() {
    byte[] result = new byte[CHUNKS * CHUNK_BYTES];
    for (int i = 0; i < CHUNKS; i++) {
      library.decode(stored.get(i), result, i * CHUNK_BYTES, CHUNK_BYTES);
    }
    return result;
  }

  /** The codec's library, called on the codec thread. */
  byte[] libraryOnCodecThread() {
    return Objects.requireNonNull(Mono.fromSupplier(this::library).subscribeOn(oneThread).block());
  }

  /** A copy of as many bytes, chunk by chunk. */
  @Benchmark
  public byte[] copy() {
    byte[] result = new byte[CHUNKS * CHUNK_BYTES];
    for (int i = 0; i < CHUNKS; i++) {
      System.arraycopy(plain, i * CHUNK_BYTES, result, i * CHUNK_BYTES, CHUNK_BYTES);
    }
    return result;
  }
}
