package dev.zarrreactive.server;

import dev.zarrreactive.internal.flow.ByteBudget;
import dev.zarrreactive.store.Bytes;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.buffer.UnpooledHeapByteBuf;
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
  /** Reactor-netty asks for 128 pieces at once: 2 MiB of this size. */
  private static final int PIECE = 16 << 10;

  /** The most bytes that are written together with the headers. */
  private static final int ONE_WRITE = 128 << 10;

  private final ByteBudget.Share share;
  private final List<Part> parts = new ArrayList<>();
  private boolean closed;

  ResponseMemory(ByteBudget budget) {
    this.share = budget.share();
  }

  /** Leases room for {@code most} bytes, and reads into it; empty where {@code read} is empty. */
  <T> Mono<T> leased(long most, LeasedRead<T> read) {
    return Mono.defer(
        () -> {
          Part part = new Part(share.lease(most), most);
          return add(part)
              ? part.lease
                  .granted()
                  .then(Mono.defer(() -> read.into(part)))
                  .doFinally(end -> part.endUnlessFilled())
              : Mono.empty();
        });
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

  /** Leased bytes, and the buffer around them when they are there. */
  final class Part {
    private final ByteBudget.Lease lease;
    private final long leased;
    private @Nullable ByteBuf buffer;
    private int offset;
    private int size;
    private boolean ended;

    private Part(ByteBudget.Lease lease, long leased) {
      this.lease = lease;
      this.leased = leased;
    }

    /** Takes the bytes that were read, and gives back the rest of the lease. */
    Part fill(Bytes bytes) {
      synchronized (this) {
        if (ended) {
          return this;
        }
        offset = bytes.unsafeOffset();
        size = bytes.size();
        buffer = new LeasedBuffer(bytes.unsafeArray(), lease);
      }
      lease.giveBack(leased - bytes.size());
      return this;
    }

    /**
     * Returns the bytes as pieces of the one buffer, which ends the lease when the connection has
     * released the last one. For one subscriber.
     */
    Flux<ByteBuf> pieces() {
      return Flux.generate(
          () -> 0,
          (at, sink) -> {
            ByteBuf piece = piece(at);
            if (piece == null) {
              sink.complete();
              return at;
            }
            int next = at + piece.readableBytes(); // the connection may take it at once
            sink.next(piece);
            return next;
          },
          at -> close());
    }

    /** Returns the bytes in one piece where they are few, and as {@link #pieces} otherwise. */
    Publisher<ByteBuf> body() {
      return size == 0 || size > ONE_WRITE
          ? pieces()
          : Mono.fromSupplier(() -> piece(0, ONE_WRITE)).doFinally(end -> close());
    }

    private @Nullable ByteBuf piece(int at) {
      return piece(at, PIECE);
    }

    private synchronized @Nullable ByteBuf piece(int at, int most) {
      ByteBuf all = buffer;
      return all == null || at >= size
          ? null
          : all.retainedSlice(offset + at, Math.min(most, size - at));
    }

    private synchronized void endUnlessFilled() {
      if (buffer == null) {
        close();
      }
    }

    /** Releases what no piece refers to. */
    private void close() {
      ByteBuf all;
      boolean first;
      synchronized (this) {
        all = buffer;
        buffer = null;
        first = !ended;
        ended = true;
      }
      if (all != null) {
        all.release();
      } else if (first) {
        lease.end();
      }
      synchronized (parts) {
        parts.remove(this);
      }
    }
  }

  /** An array of a value, which ends its lease when the last piece is released. */
  private static final class LeasedBuffer extends UnpooledHeapByteBuf {
    private final ByteBudget.Lease lease;

    LeasedBuffer(byte[] array, ByteBudget.Lease lease) {
      super(UnpooledByteBufAllocator.DEFAULT, array, array.length);
      this.lease = lease;
    }

    @Override
    protected void freeArray(byte[] array) {
      lease.end();
    }
  }
}
