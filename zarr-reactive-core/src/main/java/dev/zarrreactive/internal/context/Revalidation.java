package dev.zarrreactive.internal.context;

import dev.zarrreactive.base.ByteRange;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.internal.sharing.SharedRequest;
import dev.zarrreactive.internal.threads.Environment;
import dev.zarrreactive.store.ReadCondition;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.store.StoreCapability;
import dev.zarrreactive.store.Version;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * Asks a store whether values are unchanged, by their versions and without their bytes. A recorded
 * version {@linkplain #covers covers} bytes that were requested after the store had told it. They
 * may be newer than that version, and are then fetched again at worst. Bytes that were requested
 * before may be older, and count for nothing.
 */
final class Revalidation {
  private static final ByteRange NOTHING = new ByteRange.Slice(0, 0);

  /** The most versions in memory. A value whose version was evicted takes two requests. */
  private static final int MOST = 1 << 16;

  private final Store store;
  private final long age;
  private final Consumer<StoreKey> changed;
  private final Map<StoreKey, Told> told =
      new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<StoreKey, Told> eldest) {
          return size() > MOST;
        }
      };
  private final Map<StoreKey, Question> underWay = new HashMap<>();

  /**
   * Creates a revalidation of values in {@code store}.
   *
   * @param age the age up to which an answer counts as fresh
   * @param changed is called for each value that may have changed, before the operations that wait
   */
  Revalidation(Store store, Duration age, Consumer<StoreKey> changed) {
    this.store = store;
    this.changed = changed;
    this.age = age.compareTo(Duration.ofDays(10_000)) > 0 ? Long.MAX_VALUE : age.toNanos();
  }

  /**
   * The last answer of the store about a value.
   *
   * @param since when the store first told the version
   * @param asked when it was asked last
   */
  private record Told(Version version, long since, long asked) {}

  /** Returns true if the store has versions. */
  boolean isPossible() {
    return store.capabilities().contains(StoreCapability.VERSIONS);
  }

  /**
   * Returns true if bytes that were read at a time are still fresh.
   *
   * @param read when the bytes were read, by {@link Environment#nanoTime}
   * @param began when the reading operation began, which revalidates a value once
   */
  synchronized boolean isYoung(StoreKey key, long read, long began) {
    if (!covers(key, read)) {
      return false;
    }
    Told last = told.get(key);
    long known = last != null && last.asked() - read > 0 ? last.asked() : read;
    return known - began >= 0 || Environment.current().nanoTime() - known < age;
  }

  /** Returns true if an unchanged value means that bytes that were read at a time are its own. */
  synchronized boolean covers(StoreKey key, long read) {
    Told last = told.get(key);
    return last == null || read - last.since() >= 0;
  }

  /**
   * Asks the store whether the value is the same as at the last request about it. False if it has
   * changed or is missing, and at the first request.
   */
  Mono<Boolean> isUnchanged(StoreKey key) {
    return Mono.defer(
        () -> {
          synchronized (this) {
            Question question = underWay.get(key);
            Mono<Boolean> joined = question == null ? null : question.request.tryJoin();
            if (joined != null) {
              return joined;
            }
            Question mine = new Question(key, told.get(key));
            underWay.put(key, mine);
            return Objects.requireNonNull(mine.request.tryJoin());
          }
        });
  }

  /** Forgets the version of a value that changes. */
  synchronized void forget(StoreKey key) {
    told.remove(key);
    underWay.remove(key);
  }

  /** Forgets the versions of values that change. */
  synchronized void forget(Predicate<StoreKey> keys) {
    told.keySet().removeIf(keys);
    underWay.keySet().removeIf(keys);
  }

  /** One request about a value, shared by the operations that wait for its answer. */
  private final class Question implements SharedRequest.Owner<Boolean> {
    private final StoreKey key;
    private final @Nullable Told before;
    private final long asked = Environment.current().nanoTime();
    private final SharedRequest<Boolean> request;
    private volatile @Nullable Version now;

    Question(StoreKey key, @Nullable Told before) {
      this.key = key;
      this.before = before;
      ReadCondition condition =
          before == null ? ReadCondition.ALWAYS : ReadCondition.ifChanged(before.version());
      this.request =
          new SharedRequest<>(
              Mono.defer(() -> store.getVersioned(key, NOTHING, condition))
                  .map(
                      answer -> {
                        now = answer.version();
                        return answer.isUnchanged();
                      })
                  .defaultIfEmpty(false),
              this);
    }

    @Override
    public void answered(SharedRequest<Boolean> answered, @Nullable Boolean unchanged) {
      if (!Boolean.TRUE.equals(unchanged)) {
        changed.accept(key);
      }
      synchronized (Revalidation.this) {
        Version version = now;
        if (underWay.remove(key, this)) {
          if (version == null) {
            told.remove(key);
          } else {
            long since =
                before != null && Boolean.TRUE.equals(unchanged)
                    ? before.since()
                    : Environment.current().nanoTime();
            told.put(key, new Told(version, since, asked));
          }
        }
      }
    }

    @Override
    public void failed(SharedRequest<Boolean> failed) {
      synchronized (Revalidation.this) {
        underWay.remove(key, this);
      }
    }

    @Override
    public void abandoned(SharedRequest<Boolean> abandoned) {
      failed(abandoned);
    }
  }
}
