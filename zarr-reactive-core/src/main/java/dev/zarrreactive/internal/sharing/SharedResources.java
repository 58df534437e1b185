package dev.zarrreactive.internal.sharing;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import java.util.function.Supplier;
import reactor.core.publisher.Mono;

/**
 * Resources that several users share, such as the connections to one server: the first user of a
 * key makes the resource, each further user of an equal key gets the same, and the last user that
 * closes its lease closes the resource. Thread-safe; nothing blocks.
 */
public final class SharedResources<K, R> {
  private final Function<R, Mono<Void>> closing;
  private final Map<K, Entry<R>> entries = new HashMap<>();

  /**
   * No resources yet.
   *
   * @param closing closes a resource that no user has any more
   */
  public SharedResources(Function<R, Mono<Void>> closing) {
    this.closing = closing;
  }

  /**
   * A use of the resource of {@code key}; it lasts until it is closed.
   *
   * @param made makes the resource, where no user has it; under a lock, so it does no work
   */
  public Lease<R> lease(K key, Supplier<R> made) {
    synchronized (entries) {
      Entry<R> entry = entries.get(key);
      if (entry == null) {
        entry = new Entry<>(made.get());
        entries.put(key, entry);
      }
      entry.users++;
      return new Lease<>(entry.resource, end(key, entry));
    }
  }

  /** How many resources have a user. */
  public int size() {
    synchronized (entries) {
      return entries.size();
    }
  }

  private Mono<Void> end(K key, Entry<R> entry) {
    return Mono.defer(
        () -> {
          synchronized (entries) {
            if (--entry.users > 0) {
              return Mono.empty();
            }
            entries.remove(key);
          }
          return closing.apply(entry.resource);
        });
  }

  private static final class Entry<R> {
    private final R resource;
    private int users;

    Entry(R resource) {
      this.resource = resource;
    }
  }

  /** One use of a shared resource. */
  public static final class Lease<R> {
    private final R resource;
    private final Mono<Void> end;
    private final AtomicBoolean closed = new AtomicBoolean();

    private Lease(R resource, Mono<Void> end) {
      this.resource = resource;
      this.end = end;
    }

    /** The resource, which other users have, too. */
    public R resource() {
      return resource;
    }

    /** True from the first subscription to {@link #close} on. */
    public boolean isClosed() {
      return closed.get();
    }

    /**
     * Ends this use with the first subscription; with the last use of all, completes when the
     * resource is closed. Each further subscription does nothing.
     */
    public Mono<Void> close() {
      return Mono.defer(() -> closed.compareAndSet(false, true) ? end : Mono.empty());
    }
  }
}
