package dev.zarrreactive.server;

import dev.zarrreactive.base.Bytes;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.UnpooledDirectByteBuf;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Subscription;
import reactor.core.CoreSubscriber;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Operators;
import reactor.util.context.Context;

/**
 * Bounds the pieces of one response that its socket has not taken. Reactor-netty asks for 128
 * pieces at once, which is 2 MiB for each slow client; the window asks for a piece when it has room
 * for it. The pieces are copied: a view in the queue would keep the chunks of its whole band, which
 * count as handed on.
 */
final class QueueWindow implements CoreSubscriber<QueueWindow.Piece>, Subscription {
  private final CoreSubscriber<? super ByteBuf> connection;
  private final int most;
  private @Nullable Subscription pieces;
  private long demanded;
  private int queued; // asked for, and not released

  /** Bytes that are copied when the window has room for them. */
  interface Piece {
    /**
     * Returns a copy.
     *
     * @param released to be run when the copy is released
     */
    ByteBuf copied(Runnable released);
  }

  private QueueWindow(CoreSubscriber<? super ByteBuf> connection, int most) {
    this.connection = connection;
    this.most = most;
  }

  /** Returns the pieces as buffers, at most {@code most} of which are not released at a time. */
  static Flux<ByteBuf> of(Flux<Piece> pieces, int most) {
    return new Flux<>() {
      @Override
      public void subscribe(CoreSubscriber<? super ByteBuf> connection) {
        pieces.subscribe(new QueueWindow(connection, most));
      }
    };
  }

  @Override
  public Context currentContext() {
    return connection.currentContext();
  }

  @Override
  public void onSubscribe(Subscription subscription) {
    pieces = subscription;
    connection.onSubscribe(this);
  }

  @Override
  public void onNext(Piece piece) {
    connection.onNext(piece.copied(this::left));
  }

  @Override
  public void onError(Throwable error) {
    connection.onError(error);
  }

  @Override
  public void onComplete() {
    connection.onComplete();
  }

  @Override
  public void request(long n) {
    synchronized (this) {
      demanded = Operators.addCap(demanded, n);
    }
    ask();
  }

  @Override
  public void cancel() {
    if (pieces != null) {
      pieces.cancel();
    }
  }

  private void ask() {
    int more;
    synchronized (this) {
      more = (int) Math.min(demanded, most - queued);
      demanded -= more;
      queued += more;
    }
    if (more > 0 && pieces != null) {
      pieces.request(more);
    }
  }

  private void left() {
    synchronized (this) {
      queued--;
    }
    ask();
  }

  /**
   * Returns a copy in direct memory. Netty would copy a view of an array when it enters the queue
   * of a connection, and release the view then.
   *
   * @param released runs when the socket has taken it and it is released, on any thread, or where
   *     there is no memory for it
   */
  static ByteBuf copied(Bytes bytes, Runnable released) {
    ByteBuf memory;
    try {
      memory = ByteBufAllocator.DEFAULT.directBuffer(bytes.size(), bytes.size());
    } catch (OutOfMemoryError e) {
      released.run();
      throw e;
    }
    memory.writeBytes(bytes.unsafeArray(), bytes.unsafeOffset(), bytes.size());
    return new DirectPiece(memory, released);
  }

  /** A copy, which tells of its release. */
  private static final class DirectPiece extends UnpooledDirectByteBuf {
    private final ByteBuf memory;
    private final Runnable released;

    DirectPiece(ByteBuf memory, Runnable released) {
      super(memory.alloc(), memory.nioBuffer(), memory.readableBytes());
      this.memory = memory;
      this.released = released;
    }

    @Override
    protected void deallocate() {
      super.deallocate();
      memory.release();
      released.run();
    }
  }
}
