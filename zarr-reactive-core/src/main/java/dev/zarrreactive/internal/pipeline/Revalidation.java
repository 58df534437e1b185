package dev.zarrreactive.internal.pipeline;

import dev.zarrreactive.internal.sharing.SharedRequest;
import dev.zarrreactive.internal.threads.Environment;
import dev.zarrreactive.store.ByteRange;
import dev.zarrreactive.store.ReadCondition;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.store.StoreCapability;
import dev.zarrreactive.store.StoreKey;
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
 * Asks a store whether values are still what they were, by their versions and for none of their
 * bytes. A version is always older than what was read after it was told: what is kept may be newer
 * and be read again for nothing, and is never older.
 */
final class Revalidation {
  private static final ByteRange NOTHING = new ByteRange.Slice(0, 0);

  /** The most values whose versions are known; who is forgotten is asked about twice. */
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
   * Of values in {@code store}.
   *
   * @param age how old what is known may be
   * @param changed told of values that may have changed, before those who wait are
   */
  Revalidation(Store store, Duration age, Consumer<StoreKey> changed) {
    this.store = store;
    this.changed = changed;
    this.age = age.compareTo(Duration.ofDays(10_000)) > 0 ? Long.MAX_VALUE : age.toNanos();
  }

  /** What the store last said of a value, and when it was asked. */
  private record Told(Version version, long asked) {}

  /** True where a store tells versions, so that asking helps. */
  boolean isPossible() {
    return store.capabilities().contains(StoreCapability.VERSIONS);
  }

  /**
   * True where what was read at a time need not be asked about.
   *
   * @param read when it was read, by {@link Environment#nanoTime}
   * @param began when the operation began that wants it, which asks once
   */
  synchronized boolean isYoung(StoreKey key, long read, long began) {
    Told last = told.get(key);
    long known = last != null && last.asked() - read > 0 ? last.asked() : read;
    return known - began >= 0 || Environment.current().nanoTime() - known < age;
  }

  /**
   * True where the value is what it was when it was last asked about; false where it is not, is
   * missing, or has not been asked about.
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

  /** Forgets what was told of values: they change. */
  synchronized void forget(Predicate<StoreKey> keys) {
    told.keySet().removeIf(keys);
    underWay.keySet().removeIf(keys);
  }

  /** One request about a value, and who waits for it. */
  private final class Question implements SharedRequest.Owner<Boolean> {
    private final StoreKey key;
    private final long asked = Environment.current().nanoTime();
    private final SharedRequest<Boolean> request;
    private volatile @Nullable Version now;

    Question(StoreKey key, @Nullable Told before) {
      this.key = key;
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
            told.put(key, new Told(version, asked));
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
