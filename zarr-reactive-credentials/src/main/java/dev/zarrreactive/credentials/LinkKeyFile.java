package dev.zarrreactive.credentials;

import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.StoreException;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/** Keys of links in a file that another program replaces. */
final class LinkKeyFile implements LinkKeySource {
  /** The time in which nobody looks at the file again. */
  static final long REST_NANOS = TimeUnit.SECONDS.toNanos(1);

  private static final System.Logger LOG = System.getLogger(LinkKeyFile.class.getName());

  private final Path file;
  private final LongSupplier nanoTime;
  private final AtomicBoolean isLookedAt = new AtomicBoolean();

  /** What the last look at the file gave; null before the first one. */
  private volatile @Nullable Look last;

  /**
   * A look at the file.
   *
   * @param keys of the newest look that could read them
   * @param at when it was
   * @param problem of the look, which the log has; null for none
   */
  private record Look(LinkKeys keys, long at, @Nullable String problem) {}

  LinkKeyFile(Path file, LongSupplier nanoTime) {
    this.file = file;
    this.nanoTime = nanoTime;
  }

  @Override
  public Mono<LinkKeys> keys() {
    return Mono.defer(
        () -> {
          Look known = last;
          if (known == null) {
            return read().doOnNext(keys -> last = new Look(keys, nanoTime.getAsLong(), null));
          }
          boolean isOld = nanoTime.getAsLong() - known.at >= REST_NANOS;
          return isOld && isLookedAt.compareAndSet(false, true)
              ? read()
                  .map(keys -> new Look(keys, nanoTime.getAsLong(), null))
                  .onErrorResume(
                      e -> e instanceof StoreException || e instanceof IllegalArgumentException,
                      e -> Mono.just(kept(known, String.valueOf(e.getMessage()))))
                  .doOnNext(look -> last = look)
                  .doOnTerminate(() -> isLookedAt.set(false)) // before the keys are emitted
                  .doOnCancel(() -> isLookedAt.set(false))
                  .map(Look::keys)
              : Mono.just(known.keys);
        });
  }

  private Mono<LinkKeys> read() {
    return Surroundings.read(file)
        .switchIfEmpty(
            Mono.error(
                () ->
                    new StoreException(
                        "the file " + file + " is missing or empty", Location.UNKNOWN)))
        .map(LinkKeys::of);
  }

  /** Returns a look that found no keys, and tells the log of it unless the one before has. */
  private Look kept(Look before, String problem) {
    if (!problem.equals(before.problem)) {
      LOG.log(
          System.Logger.Level.WARNING,
          "links are opened by the keys of before, since those of " + file + " fail: " + problem);
    }
    return new Look(before.keys, nanoTime.getAsLong(), problem);
  }

  @Override
  public String toString() {
    return "the keys of links in " + file;
  }
}
