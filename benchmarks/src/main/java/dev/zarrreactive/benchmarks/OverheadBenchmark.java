package dev.zarrreactive.benchmarks;

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.AuxCounters;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;
import org.openjdk.jmh.infra.Blackhole;

/**
 * The time that the pipeline adds to that of the codec's library. Both run side by side on the same
 * codec thread, so that any other load of the machine slows both. The figure is {@code readNanos}
 * divided by {@code libraryNanos}.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Fork(value = 3, jvmArgs = "-Xmx2g")
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 6, time = 1)
public class OverheadBenchmark {
  /** The time that each of the two took. */
  @State(Scope.Thread)
  @AuxCounters(AuxCounters.Type.EVENTS)
  public static class Times {
    /** The codec's library. */
    public long libraryNanos;

    /** The pipeline. */
    public long readNanos;
  }

  /** The codec's library and the pipeline, in an order that no collection can follow. */
  @Benchmark
  public void libraryAndRead(DecodeAndAssembleBenchmark subject, Times times, Blackhole hole) {
    boolean libraryFirst = ThreadLocalRandom.current().nextBoolean();
    long start = System.nanoTime();
    hole.consume(libraryFirst ? subject.libraryOnCodecThread() : subject.read());
    long between = System.nanoTime();
    hole.consume(libraryFirst ? subject.read() : subject.libraryOnCodecThread());
    long end = System.nanoTime();
    times.libraryNanos += libraryFirst ? between - start : end - between;
    times.readNanos += libraryFirst ? end - between : between - start;
  }
}
