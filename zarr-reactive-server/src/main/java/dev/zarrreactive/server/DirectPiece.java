package dev.zarrreactive.server;

import dev.zarrreactive.store.Bytes;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.UnpooledDirectByteBuf;

/**
 * A copy of bytes in direct memory, which tells when its socket has taken it. Netty would copy a
 * view of an array when it enters the queue of a connection, and release the view then.
 */
final class DirectPiece extends UnpooledDirectByteBuf {
  private final ByteBuf memory;
  private final Runnable released;

  private DirectPiece(ByteBuf memory, Runnable released) {
    super(memory.alloc(), memory.nioBuffer(), memory.readableBytes());
    this.memory = memory;
    this.released = released;
  }

  /**
   * Returns a copy.
   *
   * @param released runs when it is released, on any thread, and where there is no memory for it
   */
  static DirectPiece of(Bytes bytes, Runnable released) {
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

  @Override
  protected void deallocate() {
    super.deallocate();
    memory.release();
    released.run();
  }
}
