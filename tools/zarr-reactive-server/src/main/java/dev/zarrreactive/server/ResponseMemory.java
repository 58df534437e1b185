package dev.zarrreactive.server;

import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.internal.flow.ByteBudget;
import io.netty.buffer.ByteBuf;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * The bytes of values that one response holds: leased before the request to the store, released
 * when the connection has taken the last of them. Its end releases all that the connection has not
 * been given.
 */
final class ResponseMemory {
  private static final int PIECE = 64 << 10;

  /** The pieces that wait for a slow client, in direct memory beside the value: 256 KiB. */
  private static final int QUEUED = 4;

  /** The most bytes that are written together with the headers. */
  private static final int ONE_WRITE = 128 << 10;

  private final ByteBudget budget;
  private final ServerActivity activity;
  private final ByteBudget.Share large;
  private final ByteBudget.Share small;
  private final List<Part> parts = new ArrayList<>();
  private boolean closed;

  ResponseMemory(ByteBudget budget, ServerActivity activity) {
    this.budget = budget;
    this.activity = activity;
    this.large = budget.share();
    this.small = budget.share(true);
  }

  /** Returns true where a lease of this number of bytes has to wait for other responses. */
  boolean isCrowded(long most) {
    return budget.isCrowded(most);
  }

  /**
   * Leases room for {@code most} bytes, and reads into it; empty where {@code read} is empty.
   *
   * @param whole the most bytes of the whole response: a small one passes large ones
   */
  <T> Mono<T> leased(long most, long whole, LeasedRead<T> read) {
    return Mono.defer(
        () -> {
          ByteBudget.Share share = ByteBudget.isSmall(whole) ? small : large;
          Part part = new Part(share.lease(most), most);
          return add(part)
              ? activity
                  .granted(part.lease)
                  .then(Mono.defer(() -> read.into(part)))
                  .doFinally(end -> part.endUnlessFilled())
              : Mono.empty();
        });
  }

  /** Returns pieces as buffers, few of which wait for the connection. */
  static Flux<ByteBuf> windowed(Flux<QueueWindow.Piece> pieces) {
    return QueueWindow.of(pieces, QUEUED);
  }

  /** A read into leased memory. */
  interface LeasedRead<T> {
    Mono<T> into(Part part);
  }

  /** Releases all; later reads are dropped. */
  void close() {
    List<Part> rest;
    synchronized (parts) {
      closed = true;
      rest = List.copyOf(parts);
      parts.clear();
    }
    rest.forEach(Part::close);
  }

  private boolean add(Part part) {
    synchronized (parts) {
      if (!closed) {
        return parts.add(part);
      }
    }
    part.lease.end();
    return false;
  }

  /** Leased bytes. */
  final class Part {
    private final ByteBudget.Lease lease;
    private final long leased;
    private @Nullable Bytes bytes;
    private boolean ended; // the lease is over, or its users end it
    private int users; // copies that are not released, and the stream that makes them

    private Part(ByteBudget.Lease lease, long leased) {
      this.lease = lease;
      this.leased = leased;
    }

    /** Takes the bytes that were read, and gives back the rest of the lease. */
    Part fill(Bytes read) {
      synchronized (this) {
        if (ended) {
          return this;
        }
        bytes = read;
      }
      lease.giveBack(leased - read.size());
      return this;
    }

    /**
     * Returns the bytes as pieces, which end the lease when the connection has released the last
     * one. For one subscriber.
     */
    Flux<QueueWindow.Piece> pieces() {
      return Flux.defer(
          () -> {
            Bytes all = handedOn();
            return all == null
                ? Flux.empty()
                : cut(all).map(this::piece).doFinally(end -> released());
          });
    }

    private QueueWindow.Piece piece(Bytes cut) {
      return released -> {
        synchronized (this) {
          users++;
        }
        return QueueWindow.copied(
            cut,
            () -> {
              released();
              released.run();
            });
      };
    }

    /** Returns the bytes in one piece where they are few, and as {@link #pieces} otherwise. */
    synchronized Publisher<ByteBuf> body() {
      return bytes == null || bytes.size() == 0 || bytes.size() > ONE_WRITE
          ? windowed(pieces())
          : Mono.fromSupplier(
              () -> {
                Bytes all = handedOn();
                return all == null ? null : QueueWindow.copied(all, this::released);
              });
    }

    /** Takes the bytes out, whose lease {@link #released} ends. */
    private @Nullable Bytes handedOn() {
      Bytes all;
      synchronized (this) {
        all = bytes;
        if (all != null) {
          bytes = null;
          ended = true;
          users = 1;
        }
      }
      forget();
      return all;
    }

    private void released() {
      boolean isLast;
      synchronized (this) {
        users--;
        isLast = users == 0;
      }
      if (isLast) {
        lease.end();
      }
    }

    private void forget() {
      synchronized (parts) {
        parts.remove(this);
      }
    }

    private void endUnlessFilled() {
      boolean isFilled;
      synchronized (this) {
        isFilled = bytes != null;
      }
      if (!isFilled) {
        close();
      }
    }

    /** Ends the lease, unless pieces were handed on, which end it. */
    private void close() {
      boolean first;
      synchronized (this) {
        first = !ended;
        ended = true;
        bytes = null;
      }
      if (first) {
        lease.end();
      }
      forget();
    }
  }

  private static Flux<Bytes> cut(Bytes all) {
    int pieces = (all.size() + PIECE - 1) / PIECE;
    return Flux.range(0, pieces)
        .map(
            number -> {
              int from = number * PIECE;
              return all.slice(from, Math.min(PIECE, all.size() - from));
            });
  }
}
