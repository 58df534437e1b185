package dev.zarrreactive.s3;

import dev.zarrreactive.store.Bytes;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * A part of a value that is uploaded in parts.
 *
 * @param number from 1
 * @param bytes as many as every part has, or fewer in the last one
 * @param isLast true for the last part
 */
record ValuePart(int number, Bytes bytes, boolean isLast) {
  /** Returns the parts of {@code value}, which has at least one byte, without a copy. */
  static Flux<ValuePart> of(Bytes value, int size) {
    int count = (int) ((value.size() + size - 1L) / size);
    return Flux.range(0, count)
        .map(
            index -> {
              int offset = index * size;
              Bytes bytes = value.slice(offset, Math.min(size, value.size() - offset));
              return new ValuePart(index + 1, bytes, index == count - 1);
            });
  }

  /** Returns the parts of a value that arrives in pieces; one empty part if there is no byte. */
  static Flux<ValuePart> of(Publisher<Bytes> pieces, int size) {
    return Flux.defer(
        () -> {
          Cutter cutter = new Cutter(size);
          return Flux.from(pieces)
              .concatMapIterable(cutter::cut, 1)
              .concatWith(Mono.fromSupplier(cutter::last));
        });
  }

  /**
   * Fills parts with pieces. A full part is given out when a byte comes after it, or at the end.
   */
  private static final class Cutter {
    private final int size;
    private byte[] part = new byte[0];
    private int filled;
    private int number = 1;

    Cutter(int size) {
      this.size = size;
    }

    List<ValuePart> cut(Bytes piece) {
      List<ValuePart> full = new ArrayList<>();
      int at = 0;
      while (at < piece.size()) {
        if (filled == size) {
          full.add(new ValuePart(number++, Bytes.wrap(part), false));
          part = new byte[size];
          filled = 0;
        }
        int count = Math.min(size - filled, piece.size() - at);
        if (filled + count > part.length) {
          part = Arrays.copyOf(part, Math.min(size, Math.max(filled + count, 2 * part.length)));
        }
        piece.copyTo(at, part, filled, count);
        filled += count;
        at += count;
      }
      return full;
    }

    ValuePart last() {
      return new ValuePart(number, Bytes.wrap(part, 0, filled), true);
    }
  }
}
