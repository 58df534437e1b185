package dev.zarrreactive.icechunk;

import static org.assertj.core.api.Assertions.assertThat;

import dev.zarrreactive.Zarr;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.codec.Codecs;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.error.AccessDeniedException;
import dev.zarrreactive.error.CodecException;
import dev.zarrreactive.error.StoreException;
import dev.zarrreactive.error.TransientStoreException;
import dev.zarrreactive.error.ZarrException;
import dev.zarrreactive.faults.Connected;
import dev.zarrreactive.faults.NoLeaks;
import dev.zarrreactive.faults.Occurrence;
import dev.zarrreactive.faults.server.Fault;
import dev.zarrreactive.faults.server.FaultyServer;
import dev.zarrreactive.faults.server.ReceivedRequest;
import dev.zarrreactive.faults.server.ServerResponse;
import dev.zarrreactive.metadata.ArrayMetadata;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.store.decorator.RetryOptions;
import dev.zarrreactive.store.decorator.Stores;
import dev.zarrreactive.store.memory.MemoryStore;
import dev.zarrreactive.testing.Cases;
import dev.zarrreactive.testing.Sampled;
import dev.zarrreactive.testing.Waiting;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import reactor.core.Disposable;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/**
 * Tests faults at each kind of file of a repository: a read of its branch ends with the values that
 * were committed, or with an error of the right kind that names the file; never with fill value. No
 * request and no busy connection remains. Extend this class in the tests of a store over a network.
 */
@ExtendWith(NoLeaks.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
public abstract class RepositoryFaultMatrix {
  private static final int SIZE = 20_000;
  private static final int CHUNK = 5_000;
  private static final long FEW = 20;
  private static final Duration PATIENCE = Duration.ofMinutes(1);
  private static final Duration BACKOFF = Duration.ofMillis(50);

  /** Time for requests that are sent at the moment of a cancel, shorter than the back-off. */
  private static final Duration SETTLING = Duration.ofMillis(40);

  private static final Duration STALL = Duration.ofMillis(1200);
  private static final Duration LATE = Duration.ofMinutes(10);
  private static final Bytes SIGN_IN = Bytes.utf8("<!doctype html><title>Sign in</title>\n");

  /** For subclasses. */
  protected RepositoryFaultMatrix() {}

  /** Stores a file for {@link #serve}. Blocks. */
  protected abstract void seed(String key, Bytes value);

  /** Starts a new server of the stored files. */
  protected abstract FaultyServer serve();

  /**
   * Returns a store over a server with the stall timeout and three resumes of a body that was cut.
   */
  protected abstract Connected connect(FaultyServer server, Duration stallTimeout);

  /** Returns the response of this kind of server with a status. */
  protected Fault status(int status, @Nullable String retryAfter) {
    return Fault.status(status, retryAfter);
  }

  /** A kind of file. */
  enum Place {
    REPO("repo"),
    SNAPSHOT("snapshots/"),
    MANIFEST("manifests/"),
    CHUNK("chunks/");

    private final String key;

    Place(String key) {
      this.key = key;
    }

    boolean isOf(ReceivedRequest asked) {
      String path = "/" + asked.path();
      return this == REPO ? path.endsWith("/repo") : path.contains("/" + key);
    }
  }

  /** What comes of a read. */
  private enum End {
    RIGHT(null),
    TRANSIENT(TransientStoreException.class),
    DENIED(AccessDeniedException.class),
    STORE(StoreException.class),
    CODEC(CodecException.class);

    private final @Nullable Class<? extends ZarrException> error;

    End(@Nullable Class<? extends ZarrException> error) {
      this.error = error;
    }
  }

  /**
   * A fault with its ends: once without retries, twice with retries, and always.
   *
   * @param ofChunk the end of each at a chunk
   */
  private record Row(String name, Fault fault, boolean stalls, List<End> ends, List<End> ofChunk) {
    static Row of(String name, Fault fault, End once, End twice, End always) {
      List<End> ends = List.of(once, twice, always);
      return new Row(name, fault, false, ends, ends);
    }

    static Row of(String name, Fault fault, End end) {
      return of(name, fault, end, end, end);
    }

    Row stalling() {
      return new Row(name, fault, true, ends, ofChunk);
    }

    Row atChunk(End end) {
      return new Row(name, fault, stalls, ends, List.of(end, end, end));
    }
  }

  /** One trial. */
  private record Cell(Row row, Place place, Occurrence occurrence) {
    /**
     * The right ends. Chunks are looked up together first, and one that was not found is looked up
     * alone when it is read: that asks once more for a manifest that has failed. Of two manifests
     * that fail one after the other the second one may be asked for alone.
     */
    Set<End> ends() {
      List<End> ends = place == Place.CHUNK ? row.ofChunk() : row.ends();
      End usual = ends.get(Math.min(2, occurrence.ordinal()));
      if (place != Place.MANIFEST || occurrence == Occurrence.ALWAYS) {
        return Set.of(usual);
      }
      return occurrence == Occurrence.ONCE ? Set.of(End.RIGHT) : EnumSet.of(End.RIGHT, usual);
    }

    @Override
    public String toString() {
      return row.name() + ", " + place.name().toLowerCase(Locale.ROOT) + ", " + occurrence;
    }
  }

  private List<Row> rows() {
    return List.of(
        Row.of("429", status(429, "0"), End.TRANSIENT, End.RIGHT, End.TRANSIENT),
        Row.of("500", status(500, null), End.TRANSIENT, End.RIGHT, End.TRANSIENT),
        Row.of("503", status(503, null), End.TRANSIENT, End.RIGHT, End.TRANSIENT),
        Row.of("closed", Fault.closed(), End.RIGHT, End.RIGHT, End.TRANSIENT),
        Row.of("reset", Fault.reset(), End.RIGHT, End.RIGHT, End.TRANSIENT),
        Row.of("silence", Fault.silence(), End.TRANSIENT, End.RIGHT, End.TRANSIENT).stalling(),
        Row.of("body cut", Fault.cutAfter(FEW), End.RIGHT, End.RIGHT, End.TRANSIENT),
        Row.of("body reset", Fault.resetAfter(FEW), End.RIGHT, End.RIGHT, End.TRANSIENT),
        Row.of("body stalls", Fault.stallAfter(FEW), End.RIGHT, End.RIGHT, End.TRANSIENT)
            .stalling(),
        Row.of("delay", Fault.delay(Duration.ofMillis(60)), End.RIGHT),
        Row.of("200 instead of 206", Fault.ignoreRange(), End.RIGHT),
        Row.of("ETag of another version", Fault.changingTags(), End.RIGHT),
        Row.of("401", status(401, null), End.DENIED),
        Row.of("403", status(403, null), End.DENIED),
        Row.of("404", status(404, null), End.STORE),
        Row.of(
                "a byte at the start is wrong",
                Fault.body(RepositoryFaultMatrix::changed),
                End.STORE)
            .atChunk(End.CODEC),
        Row.of("half of the file", Fault.body(body -> body.slice(0, body.size() / 2)), End.STORE),
        Row.of("another page", Fault.answer(given -> ServerResponse.of(200, SIGN_IN)), End.STORE));
  }

  private static Bytes changed(Bytes body) {
    byte[] bytes = body.toByteArray();
    bytes[0] ^= 1;
    return Bytes.wrap(bytes);
  }

  private static int[] numbers() {
    return IntStream.rangeClosed(1, SIZE).toArray();
  }

  @BeforeAll
  final void commit() {
    Store hierarchy = MemoryStore.create();
    NdArray values = NdArray.ofInts(DataTypes.INT32, Shape.of(SIZE), numbers());
    Zarr.hierarchy(hierarchy)
        .createArray(
            "a",
            ArrayMetadata.v3(Shape.of(SIZE), DataTypes.INT32)
                .chunkShape(CHUNK)
                .fillValue(-1)
                .codecs(Codecs.bytes(), Codecs.crc32c())
                .build())
        .flatMap(array -> array.write("...", values))
        .block(PATIENCE);
    Store files = MemoryStore.create();
    new WrittenCommits(files).commit(hierarchy);
    for (StoreKey key : Waiting.await(files.list())) {
      seed(key.value(), files.get(key).block(PATIENCE));
    }
  }

  final List<Cell> cells() {
    List<Cell> cells = new ArrayList<>();
    for (Row row : rows()) {
      for (Place place : Place.values()) {
        for (Occurrence occurrence : Occurrence.values()) {
          cells.add(new Cell(row, place, occurrence));
        }
      }
    }
    return Cases.everyOther(7, cells); // no divisor of the number of places and occurrences
  }

  @Sampled
  @ParameterizedTest(name = "{0}")
  @MethodSource("cells")
  final void a_read_ends_right_or_in_an_error_of_its_file(Cell cell) {
    boolean isTimed = cell.row().stalls() && cell.occurrence() != Occurrence.CANCELLED;
    try (FaultyServer server = serve();
        Connected connected = connect(server, isTimed ? STALL : LATE)) {
      AtomicLong strikes = new AtomicLong();
      server.misbehave(
          (asked, behaviour) ->
              cell.place().isOf(asked) && strikes.getAndIncrement() < cell.occurrence().times()
                  ? cell.row().fault().apply(asked, behaviour)
                  : behaviour);
      Mono<NdArray> read =
          Icechunk.open(store(cell, connected.store()))
              .flatMap(repository -> repository.store(IcechunkVersion.MAIN))
              .flatMap(version -> Zarr.hierarchy(version).openArray("a"))
              .flatMap(array -> array.read());
      if (cell.occurrence() == Occurrence.CANCELLED) {
        cancel(server, strikes, read, cell);
      } else {
        check(cell, read);
      }
      Waiting.eventually("requests under way", () -> server.underWay() == 0);
      Waiting.eventually("busy connections", () -> connected.busyConnections() == 0);
    }
  }

  private static Store store(Cell cell, Store store) {
    RetryOptions retries =
        RetryOptions.defaults().withBackoff(BACKOFF, BACKOFF).withDeadline(PATIENCE);
    return switch (cell.occurrence()) {
      case ONCE -> store;
      case ALWAYS -> Stores.retrying(store, retries.withAttempts(2));
      case TWICE, CANCELLED -> Stores.retrying(store, retries.withAttempts(4));
    };
  }

  private static void check(Cell cell, Mono<NdArray> read) {
    NdArray values;
    try {
      values = read.subscribeOn(Schedulers.parallel()).block(PATIENCE);
    } catch (ZarrException e) {
      assertThat(cell.ends())
          .as("%s ended in %s", cell, e)
          .anyMatch(end -> end.error != null && end.error.isInstance(e));
      assertThat(e.getMessage())
          .as(cell + " names the file, or the chunk that it is for")
          .containsAnyOf(cell.place().key, "key a/c/", "no Icechunk repository");
      return;
    }
    assertThat(values).isNotNull();
    assertThat(values.toIntArray()).as(cell + " is never fill value").isEqualTo(numbers());
    assertThat(cell.ends()).as(cell.toString()).contains(End.RIGHT);
  }

  /** A read that is cancelled sends nothing more. */
  private static void cancel(
      FaultyServer server, AtomicLong strikes, Mono<NdArray> read, Cell cell) {
    AtomicBoolean ended = new AtomicBoolean();
    Disposable reading =
        read.subscribeOn(Schedulers.parallel())
            .doOnTerminate(() -> ended.set(true))
            .onErrorComplete()
            .subscribe();
    Waiting.eventually("requests", () -> strikes.get() > 0 || ended.get());
    pause(Duration.ofMillis(Math.floorMod(cell.toString().hashCode(), 30)));
    reading.dispose();
    pause(SETTLING);
    int made = server.requests().size();
    pause(BACKOFF.multipliedBy(3));
    assertThat(server.requests()).as(cell + ": requests after the cancel").hasSize(made);
  }

  private static void pause(Duration time) {
    Mono.delay(time).block();
  }
}
