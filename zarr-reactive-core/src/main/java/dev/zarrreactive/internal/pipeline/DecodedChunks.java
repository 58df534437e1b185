package dev.zarrreactive.internal.pipeline;

import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.internal.observation.Telling;
import dev.zarrreactive.internal.sharing.SharedRequest;
import dev.zarrreactive.internal.threads.Environment;
import dev.zarrreactive.store.CacheCounts;
import dev.zarrreactive.store.LookUp;
import dev.zarrreactive.store.StoreKey;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * Decoded chunks in memory, up to a number of bytes; what was not used for longest goes first. A
 * chunk that one operation loads with its bytes leased is the chunk of all that want it meanwhile.
 * Missing chunks are not kept, nor what fails. What is written through this process is forgotten,
 * and what was being loaded meanwhile is not kept. What has been here for a while is asked about
 * first, where that is wanted.
 */
public final class DecodedChunks {
  /** What a chunk takes besides its elements. */
  private static final long OVERHEAD = 256;

  private final long most;
  private final Telling telling;
  private final @Nullable Revalidation revalidation;
  private final Map<Id, Kept> kept = new LinkedHashMap<>(16, 0.75f, true);
  private final Map<Id, Load> underWay = new HashMap<>();
  private long bytes;
  private long hits;
  private long shared;
  private long misses;
  private long revalidations;
  private long evictions;

  /**
   * At most so many bytes of chunks.
   *
   * @param revalidation asks about values; null where they are not asked about
   */
  DecodedChunks(long bytes, @Nullable Revalidation revalidation, Telling telling) {
    this.most = bytes;
    this.revalidation = revalidation;
    this.telling = telling;
  }

  /**
   * A chunk, or an inner chunk.
   *
   * @param key the key of the value that it is in
   * @param form the array's metadata, by which it was decoded
   * @param start its first element in the array
   */
  record Id(StoreKey key, String form, List<Long> start) {}

  /**
   * What came of a load.
   *
   * @param chunk the chunk; null where it is missing
   */
  record Decoded(@Nullable NdArray chunk) {}

  private record Kept(NdArray chunk, long weight, long read) {}

  /** What became of look-ups so far. */
  public synchronized CacheCounts counts() {
    return new CacheCounts(hits, shared, misses, revalidations, evictions, kept.size(), bytes);
  }

  /**
   * The chunk where it is here and need not be asked about; asks for nothing.
   *
   * @param began when the operation began that wants it, by {@link Environment#nanoTime}
   */
  @Nullable NdArray find(Id id, long began) {
    Kept found;
    synchronized (this) {
      found = kept.get(id);
      if (found != null && isOld(id, found, began)) {
        return null;
      }
      hits += found == null ? 0 : 1;
    }
    if (found == null) {
      return null;
    }
    telling.lookUp(Telling.CHUNKS, LookUp.HIT);
    return found.chunk();
  }

  private boolean isOld(Id id, Kept found, long began) {
    return revalidation != null && !revalidation.isYoung(id.key(), found.read(), began);
  }

  /**
   * The chunk where it is here and the store says that it has not changed; empty where it is to be
   * loaded.
   */
  Mono<NdArray> revalidated(Id id) {
    Revalidation asking = revalidation;
    return asking == null || !asking.isPossible()
        ? Mono.empty()
        : Mono.defer(
            () ->
                kept(id) == null
                    ? Mono.empty()
                    : asking
                        .isUnchanged(id.key())
                        .mapNotNull(unchanged -> unchanged ? unchanged(id) : null)
                        .onErrorResume(e -> Mono.empty())); // then the load fails, or helps
  }

  private synchronized @Nullable NdArray kept(Id id) {
    Kept found = kept.get(id);
    return found == null ? null : found.chunk();
  }

  private @Nullable NdArray unchanged(Id id) {
    NdArray found;
    synchronized (this) {
      found = kept(id);
      revalidations += found == null ? 0 : 1;
    }
    if (found != null) {
      telling.lookUp(Telling.CHUNKS, LookUp.REVALIDATION);
    }
    return found;
  }

  /**
   * Loads a chunk that was not here, for all that {@link #join} from now on.
   *
   * @param load loads it, with its bytes leased already: it ends whatever its subscriber demands
   * @param weight how many bytes it has
   */
  Mono<Decoded> load(Id id, long weight, Mono<Decoded> load) {
    return Mono.defer(
        () -> {
          Load mine = new Load(id, weight, load);
          synchronized (this) {
            misses++;
            underWay.putIfAbsent(id, mine);
          }
          telling.lookUp(Telling.CHUNKS, LookUp.MISS);
          return Objects.requireNonNull(mine.request.tryJoin());
        });
  }

  /** The load of somebody else that is under way; null where there is none. */
  @Nullable Mono<Decoded> join(Id id) {
    Mono<Decoded> joined;
    synchronized (this) {
      Load load = underWay.get(id);
      joined = load == null ? null : load.request.tryJoin();
      shared += joined == null ? 0 : 1;
    }
    if (joined != null) {
      telling.lookUp(Telling.CHUNKS, LookUp.SHARED);
    }
    return joined;
  }

  /** Forgets what is in the values at some keys: they change. */
  synchronized void forget(Predicate<StoreKey> keys) {
    underWay.keySet().removeIf(id -> keys.test(id.key()));
    Iterator<Map.Entry<Id, Kept>> all = kept.entrySet().iterator();
    while (all.hasNext()) {
      Map.Entry<Id, Kept> next = all.next();
      if (keys.test(next.getKey().key())) {
        bytes -= next.getValue().weight();
        all.remove();
      }
    }
  }

  private void keep(Load load, @Nullable NdArray chunk) {
    if (chunk == null) {
      return;
    }
    Kept now = new Kept(chunk, load.weight, load.began);
    if (now.weight() > most) {
      return;
    }
    Kept before = kept.put(load.id, now);
    bytes += now.weight() - (before == null ? 0 : before.weight());
    Iterator<Kept> oldest = kept.values().iterator();
    while (bytes > most && oldest.hasNext()) {
      bytes -= oldest.next().weight();
      oldest.remove();
      evictions++;
    }
  }

  /** One load, and who waits for it. */
  private final class Load implements SharedRequest.Owner<Decoded> {
    private final Id id;
    private final long weight;
    private final long began = Environment.current().nanoTime();
    private final SharedRequest<Decoded> request;

    Load(Id id, long weight, Mono<Decoded> load) {
      this.id = id;
      this.weight = HeldBytes.sum(weight, OVERHEAD);
      this.request = new SharedRequest<>(load, this);
    }

    @Override
    public void answered(SharedRequest<Decoded> answered, @Nullable Decoded answer) {
      synchronized (DecodedChunks.this) {
        if (underWay.remove(id, this) && answer != null) {
          keep(this, answer.chunk());
        }
      }
    }

    @Override
    public void failed(SharedRequest<Decoded> failed) {
      synchronized (DecodedChunks.this) {
        underWay.remove(id, this);
      }
    }

    @Override
    public void abandoned(SharedRequest<Decoded> abandoned) {
      failed(abandoned);
    }
  }
}
