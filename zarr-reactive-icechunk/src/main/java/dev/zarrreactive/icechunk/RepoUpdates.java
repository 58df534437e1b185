package dev.zarrreactive.icechunk;

import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.PreconditionFailedException;
import dev.zarrreactive.error.StoreException;
import dev.zarrreactive.error.TransientStoreException;
import dev.zarrreactive.internal.flow.Concurrently;
import dev.zarrreactive.internal.icechunk.ObjectIds;
import dev.zarrreactive.internal.icechunk.RepoFile;
import dev.zarrreactive.internal.icechunk.RepoState;
import dev.zarrreactive.internal.sharing.OwnSettlement;
import dev.zarrreactive.internal.threads.Environment;
import dev.zarrreactive.store.Precondition;
import dev.zarrreactive.store.ReadCondition;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.store.StoreCapability;
import dev.zarrreactive.store.Version;
import dev.zarrreactive.store.VersionedBytes;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Function;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Changes the info of a repository: reads it, keeps a copy, and replaces it on condition that
 * nobody has replaced it in between; otherwise it begins anew. Each attempt has a copy with a name
 * that nobody else has and that the new info tells, so that a later look at the info says whether
 * an attempt whose answer was lost has taken place.
 */
final class RepoUpdates {
  private static final int MOST_TRIES = 100;

  /** The attempts in a row that may fail for another reason than another writer. */
  private static final int MOST_FAILURES = 4;

  /** The files that are stored at the same time. */
  private static final int TOGETHER = 8;

  private static final int AT_ONCE = 5;
  private static final long FIRST_PAUSE_MILLIS = 20;
  private static final long LONGEST_PAUSE_MILLIS = 1_000;
  private static final long END_OF_TIMES = 32_503_680_000_000L;

  private final RepositoryFiles files;
  private final ObjectIds ids;

  RepoUpdates(RepositoryFiles files, ObjectIds ids) {
    this.files = files;
    this.ids = ids;
  }

  /**
   * A change of the info.
   *
   * @param result is emitted once it has taken place
   * @param files that it leads to, which are stored before it
   */
  record Change<T>(
      T result, Map<StoreKey, Bytes> files, BiFunction<RepoState, String, RepoState> apply) {
    Change {
      files = Collections.unmodifiableMap(files); // in their order
    }
  }

  /** Emits an error for a store in which no info can be replaced atomically. */
  static Mono<Void> checkStore(Store store) {
    for (StoreCapability needed :
        List.of(
            StoreCapability.WRITE, StoreCapability.VERSIONS, StoreCapability.CONDITIONAL_WRITE)) {
      if (!store.capabilities().contains(needed)) {
        return Mono.error(
            () -> needed.refusal(store, "commit to an Icechunk repository", Location.UNKNOWN));
      }
    }
    return Mono.empty();
  }

  /** The info with its version. */
  record Read(RepoState state, Version version, Bytes bytes) {}

  /** Emits the info of now. */
  Mono<Read> read() {
    return RefsInRepo.request(files, ReadCondition.ALWAYS)
        .switchIfEmpty(Mono.error(() -> Missing.repository(files)))
        .publishOn(IcechunkThreads.decoding())
        .map(this::decode);
  }

  private Read decode(VersionedBytes read) {
    Bytes bytes = Objects.requireNonNull(read.bytes());
    Version version = read.version();
    if (version == null) {
      throw new StoreException(
          "the store tells no version of the info of the repository, without which a commit could"
              + " undo another one",
          Location.ofKey(RepoFile.KEY));
    }
    return new Read(
        files.decode(bytes, RepoFile.KEY, (file, key, most) -> RepoState.read(file, most)),
        version,
        bytes);
  }

  /**
   * Makes a change.
   *
   * @param what in words, such as {@code a commit}
   * @param step makes the change from the info of now; an error of it ends everything
   */
  <T> Mono<T> run(String what, Function<RepoState, Mono<Change<T>>> step) {
    return checkStore(files.store()).then(Mono.defer(() -> new Attempts<>(what, step).next()));
  }

  /** The attempts to make one change. */
  private final class Attempts<T> {
    private final String what;
    private final Function<RepoState, Mono<Change<T>>> step;
    private final Map<String, T> results = new LinkedHashMap<>();
    private final Set<StoreKey> stored = new HashSet<>();
    private int tries;
    private int failures;

    Attempts(String what, Function<RepoState, Mono<Change<T>>> step) {
      this.what = what;
      this.step = step;
    }

    Mono<T> next() {
      return read()
          .onErrorMap(StoreException.class, e -> results.isEmpty() ? e : unknown(e))
          .flatMap(this::attempt);
    }

    private StoreException unknown(StoreException cause) {
      return new StoreException(
          what
              + " may have taken place or not: its answer was lost, and so was that to the"
              + " question whether it has; look at the history of the repository",
          Location.ofKey(RepoFile.KEY),
          cause);
    }

    /** Emits the result of an attempt that has taken place; empty where none has. */
    private Mono<T> done(RepoState state) {
      return Mono.justOrEmpty(
          results.entrySet().stream()
              .filter(attempt -> state.wasMadeWith(attempt.getKey()))
              .map(Map.Entry::getValue)
              .findFirst());
    }

    private Mono<T> attempt(Read read) {
      return done(read.state()).switchIfEmpty(Mono.defer(() -> fresh(read)));
    }

    private Mono<T> fresh(Read read) {
      if (tries++ == MOST_TRIES) {
        return Mono.error(
            () ->
                new StoreException(
                    what
                        + " lost the race against other writers "
                        + MOST_TRIES
                        + " times; nothing of it is in the repository",
                    Location.ofKey(RepoFile.KEY)));
      }
      read.state().checkWritable(what);
      return IcechunkThreads.decoded(step.apply(read.state()))
          .flatMap(change -> replace(read, change));
    }

    private Mono<T> replace(Read read, Change<T> change) {
      Instant now = Environment.current().now();
      String backup = "repo." + time(now) + "." + ids.object();
      read.state().setTime(now);
      Bytes file = change.apply().apply(read.state(), backup).write();
      Store store = files.store();
      Mono<T> put =
          Mono.defer(
                  () -> {
                    results.put(backup, change.result());
                    return store.set(RefsInRepo.KEY, file, Precondition.matches(read.version()));
                  })
              .contextWrite(OwnSettlement::write)
              .thenReturn(change.result())
              .onErrorResume(StoreException.class, this::again);
      Map<StoreKey, Bytes> before = new LinkedHashMap<>(change.files());
      before.keySet().removeAll(stored);
      before.put(StoreKey.of("overwritten/" + backup), read.bytes());
      return Concurrently.map(
              Flux.fromIterable(before.entrySet()),
              TOGETHER,
              each -> store.set(each.getKey(), each.getValue()))
          .then(Mono.fromRunnable(() -> stored.addAll(change.files().keySet())))
          .thenReturn(Optional.<T>empty())
          .onErrorResume(StoreException.class, e -> settle(e).map(Optional::of))
          .flatMap(earlier -> earlier.map(Mono::just).orElse(put));
    }

    private Mono<T> again(StoreException error) {
      if (error instanceof PreconditionFailedException) {
        failures = 0;
        return pause().then(Mono.defer(this::next));
      }
      failures++;
      boolean mayTryAgain = error instanceof TransientStoreException && failures < MOST_FAILURES;
      return pause().then(Mono.defer(() -> mayTryAgain ? next() : settle(error)));
    }

    /** Tells whether the last attempt has taken place in spite of its error. */
    private Mono<T> settle(StoreException error) {
      return read()
          .onErrorMap(StoreException.class, e -> results.isEmpty() ? error : unknown(error))
          .flatMap(read -> done(read.state()))
          .switchIfEmpty(Mono.error(error));
    }

    private Mono<Void> pause() {
      if (tries <= AT_ONCE) {
        return Mono.empty();
      }
      long most =
          Math.min(LONGEST_PAUSE_MILLIS, FIRST_PAUSE_MILLIS << Math.min(20, tries - AT_ONCE));
      long millis = Environment.current().random(most / 2, most + 1);
      return Mono.delay(Duration.ofMillis(millis), IcechunkThreads.decoding()).then();
    }
  }

  /** The milliseconds until the year 3000, so that the newest copy is listed first. */
  private static String time(Instant now) {
    return String.format("%014d", END_OF_TIMES - now.toEpochMilli());
  }
}
