package dev.zarrreactive.icechunk;

import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.internal.icechunk.ObjectIds;
import dev.zarrreactive.internal.icechunk.RepoState;
import dev.zarrreactive.internal.icechunk.RepoState.Expired;
import dev.zarrreactive.internal.threads.Environment;
import dev.zarrreactive.store.StoreCapability;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/** Expires snapshots, and collects garbage. */
final class Cleanup {
  private static final Duration LONGEST_SESSION = Duration.ofDays(1);
  private static final Expired NOTHING = new Expired(List.of(), List.of(), List.of());

  private final RepositoryFiles files;
  private final IcechunkCleanup wanted;

  Cleanup(RepositoryFiles files, IcechunkCleanup wanted) {
    this.files = files;
    this.wanted = wanted;
    Instant objects = wanted.objectsBefore();
    Instant latest = Environment.current().now().minus(LONGEST_SESSION);
    if (objects != null && objects.isAfter(latest) && !wanted.takesYoungObjects()) {
      throw new IllegalArgumentException(
          "objects that were written before "
              + objects
              + " are to be collected, and a session of the last day may still commit some of them;"
              + " collect those before "
              + latest
              + ", or all with withYoungObjects(true) while nobody writes");
    }
  }

  Mono<IcechunkCleaned> run(IcechunkRepository repository) {
    return Sessions.checkVersion(repository)
        .then(Mono.defer(this::checkStore))
        .then(Mono.defer(Sessions::ids))
        .flatMap(
            ids -> wanted.isDryRun() ? look(ids) : expire(ids).flatMap(done -> collect(ids, done)));
  }

  private Mono<Void> checkStore() {
    for (StoreCapability needed : List.of(StoreCapability.LIST, StoreCapability.ERASE)) {
      boolean isNeeded =
          wanted.objectsBefore() != null && (needed == StoreCapability.LIST || !wanted.isDryRun());
      if (isNeeded && !files.store().capabilities().contains(needed)) {
        return Mono.error(
            () ->
                needed.refusal(
                    files.store(), "collect garbage of an Icechunk repository", Location.UNKNOWN));
      }
    }
    return wanted.isDryRun() ? Mono.empty() : RepoUpdates.checkStore(files.store());
  }

  /** Emits what would be removed. */
  private Mono<IcechunkCleaned> look(ObjectIds ids) {
    return new RepoUpdates(files, ids)
        .read()
        .flatMap(
            read -> {
              RepoState state = read.state();
              Expired expired = expired(state);
              state.remove(expired);
              Instant before = wanted.objectsBefore();
              return before == null
                  ? Mono.just(cleaned(expired, Map.of()))
                  : new Garbage(files, before)
                      .look(state)
                      .map(objects -> cleaned(expired, objects));
            });
  }

  private Expired expired(RepoState state) {
    Instant before = wanted.snapshotsBefore();
    return before == null
        ? NOTHING
        : state.expired(micros(before), wanted.deletesBranches(), wanted.deletesTags());
  }

  private static long micros(Instant time) {
    try {
      return ChronoUnit.MICROS.between(Instant.EPOCH, time);
    } catch (ArithmeticException e) {
      return time.isBefore(Instant.EPOCH) ? Long.MIN_VALUE : Long.MAX_VALUE;
    }
  }

  private static IcechunkCleaned cleaned(
      Expired expired, Map<String, IcechunkCleaned.Erased> objects) {
    return new IcechunkCleaned(expired.snapshots(), expired.branches(), expired.tags(), objects);
  }

  private Mono<Expired> expire(ObjectIds ids) {
    if (wanted.snapshotsBefore() == null) {
      return Mono.just(NOTHING);
    }
    RepoUpdates updates = new RepoUpdates(files, ids);
    return updates
        .read()
        .flatMap(
            read ->
                expired(read.state()).isEmpty()
                    ? Mono.just(NOTHING)
                    : updates.run("the expiration", this::expire));
  }

  private Mono<RepoUpdates.Change<Expired>> expire(RepoState state) {
    Expired expired = expired(state);
    state.remove(expired);
    return Mono.just(
        new RepoUpdates.Change<>(
            expired,
            Map.of(),
            (now, backup) -> {
              now.logExpiration(backup);
              return now;
            }));
  }

  private Mono<IcechunkCleaned> collect(ObjectIds ids, Expired expired) {
    @Nullable Instant before = wanted.objectsBefore();
    return before == null
        ? Mono.just(cleaned(expired, Map.of()))
        : new Garbage(files, before).collect(ids).map(objects -> cleaned(expired, objects));
  }

  /** The key of a copy of the info. */
  static StoreKey copy(String name) {
    return StoreKey.of("overwritten/" + name);
  }
}
