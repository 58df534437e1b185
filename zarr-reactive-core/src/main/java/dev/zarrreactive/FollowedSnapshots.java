package dev.zarrreactive;

import dev.zarrreactive.internal.sharing.Newest;
import dev.zarrreactive.internal.sharing.SharedRequest;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.store.StoreSnapshot;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.util.context.Context;

/** The hierarchies in the snapshots of one branch, the newest of which it keeps. */
final class FollowedSnapshots {
  private final Newest<ZarrHierarchy> newest = new Newest<>(Mono.defer(this::next));
  private volatile Seen last;

  FollowedSnapshots(ZarrHierarchy first) {
    this.last = new Seen(first, snapshot(first.store()));
  }

  /**
   * The hierarchy of the last snapshot.
   *
   * @param snapshot that knows what has changed elsewhere, such as another branch
   */
  private record Seen(ZarrHierarchy hierarchy, StoreSnapshot snapshot) {}

  /** Found once by whoever reads in one snapshot. */
  private static final class Held {
    private final Map<FollowedSnapshots, SharedRequest<ZarrHierarchy>> found =
        new ConcurrentHashMap<>();

    Mono<ZarrHierarchy> of(FollowedSnapshots branch) {
      return Mono.defer(
          () -> {
            SharedRequest<ZarrHierarchy> request =
                found.computeIfAbsent(branch, any -> new SharedRequest<>(any.newest.now()));
            Mono<ZarrHierarchy> joined = request.tryJoin();
            if (joined != null) {
              return joined;
            }
            found.remove(branch, request);
            return of(branch);
          });
    }
  }

  static Context inOne(Context context) {
    return context.hasKey(Held.class) ? context : context.put(Held.class, new Held());
  }

  Mono<ZarrHierarchy> now() {
    return Mono.deferContextual(
        context -> {
          @Nullable Held held = context.getOrDefault(Held.class, null);
          return held == null ? newest.now() : held.of(this);
        });
  }

  ZarrHierarchy last() {
    return last.hierarchy;
  }

  private Mono<ZarrHierarchy> next() {
    Seen seen = last;
    return seen.snapshot.newest().map(store -> seen(store, seen));
  }

  private ZarrHierarchy seen(Store store, Seen before) {
    StoreSnapshot now = snapshot(store);
    boolean isSame = now.id().equals(before.snapshot.id());
    last = new Seen(isSame ? before.hierarchy : before.hierarchy.at(store), now);
    return last.hierarchy;
  }

  private static StoreSnapshot snapshot(Store store) {
    return Objects.requireNonNull(StoreSnapshot.of(store));
  }
}
