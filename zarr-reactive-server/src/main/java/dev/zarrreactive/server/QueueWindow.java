package dev.zarrreactive.server;

import dev.zarrreactive.store.Bytes;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.buffer.UnpooledHeapByteBuf;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

/**
 * Bounds the pieces of one response that its connection has not sent. Reactor-netty asks for 128
 * pieces at once, which is 2 MiB for each slow client. The pieces are copied: a view in the queue
 * would keep the chunks of its whole band, which count as handed on.
 */
final class QueueWindow {
  private final int most;
  private int queued;
  private Sinks.@Nullable Empty<Void> waiting;

  private QueueWindow(int most) {
    this.most = most;
  }

  /** Returns the pieces as buffers, at most {@code most} of which are not released at a time. */
  static Flux<ByteBuf> of(Flux<Bytes> pieces, int most) {
    return Flux.defer(
        () -> {
          QueueWindow window = new QueueWindow(most);
          return pieces
              .map(Bytes::toByteArray)
              .concatMap(
                  piece -> window.entered().then(Mono.fromSupplier(() -> window.new Piece(piece))),
                  1);
        });
  }

  /** Completes when there is room for one more piece; one piece at a time waits. */
  private Mono<Void> entered() {
    return Mono.defer(
        () -> {
          synchronized (this) {
            if (queued++ < most) {
              return Mono.empty();
            }
            Sinks.Empty<Void> turn = Sinks.empty();
            waiting = turn;
            return turn.asMono();
          }
        });
  }

  private void left() {
    Sinks.Empty<Void> next;
    synchronized (this) {
      queued--;
      next = waiting;
      waiting = null;
    }
    if (next != null) {
      next.tryEmitEmpty();
    }
  }

  /** The bytes of a piece, which leaves the window when it is released. */
  private final class Piece extends UnpooledHeapByteBuf {
    Piece(byte[] bytes) {
      super(UnpooledByteBufAllocator.DEFAULT, bytes, bytes.length);
    }

    @Override
    protected void freeArray(byte[] array) {
      left();
    }
  }
}
