package dev.zarrreactive.internal.transfer;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import java.util.function.Supplier;
import reactor.core.publisher.Mono;

/**
 * Reference-counted resources, such as the connections to one server. The first lease of a key
 * creates the resource, further leases of an equal key share it, and the close of the last lease
 * closes it. Thread-safe; calls never block.
 */
public final class SharedResources<K, R> {
  private final Function<R, Mono<Void>> closing;
  private final Map<K, Entry<R>> entries = new HashMap<>();

  /**
   * Creates an empty set of resources.
   *
   * @param closing closes a resource after its last lease
   */
  public SharedResources(Function<R, Mono<Void>> closing) {
    this.closing = closing;
  }

  /**
   * Returns a lease of the resource of {@code key}, valid until it is closed.
   *
   * @param made creates the resource if there is none; it is called under a lock and must be quick
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

  /** Returns the number of leased resources. */
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

  /** A lease of a shared resource. */
  public static final class Lease<R> {
    private final R resource;
    private final Mono<Void> end;
    private final AtomicBoolean closed = new AtomicBoolean();

    private Lease(R resource, Mono<Void> end) {
      this.resource = resource;
      this.end = end;
    }

    /** Returns the resource, which other leases share. */
    public R resource() {
      return resource;
    }

    /** Returns true after the first subscription to {@link #close}. */
    public boolean isClosed() {
      return closed.get();
    }

    /**
     * Ends this lease at the first subscription. If it is the last lease, completes when the
     * resource is closed. Further subscriptions complete at once.
     */
    public Mono<Void> close() {
      return Mono.defer(() -> closed.compareAndSet(false, true) ? end : Mono.empty());
    }
  }
}
