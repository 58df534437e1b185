package dev.zarrreactive.internal.objects;

import dev.zarrreactive.base.Bytes;
import java.util.ArrayList;
import java.util.List;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * A part of a value that is uploaded in parts.
 *
 * @param number from 1
 * @param pieces its bytes, as many as every part has, or fewer in the last one
 * @param isLast true for the last part
 */
public record ValuePart(int number, List<Bytes> pieces, boolean isLast) {
  /** Returns the number of bytes. */
  public long size() {
    return size(pieces);
  }

  /** Returns the number of bytes of a value in pieces. */
  public static long size(List<Bytes> value) {
    return value.stream().mapToLong(Bytes::size).sum();
  }

  /** Returns the parts of {@code value}, which has at least one byte, without a copy. */
  public static Flux<ValuePart> of(Bytes value, int size) {
    int count = (int) ((value.size() + size - 1L) / size);
    return Flux.range(0, count)
        .map(
            index -> {
              int offset = index * size;
              Bytes bytes = value.slice(offset, Math.min(size, value.size() - offset));
              return new ValuePart(index + 1, List.of(bytes), index == count - 1);
            });
  }

  /**
   * Returns the parts of a value that arrives in pieces, which are not copied; one empty part if
   * there is no byte.
   */
  public static Flux<ValuePart> of(Publisher<Bytes> pieces, int size) {
    return Flux.defer(
        () -> {
          Cutter cutter = new Cutter(size);
          Flux<ValuePart> full = Flux.from(pieces).concatMapIterable(cutter::cut, 1);
          return Flux.concat(List.of(full, Mono.fromSupplier(cutter::last)));
        });
  }

  /**
   * Cuts pieces where parts end. A full part is given out when a byte comes after it, or at the
   * end.
   */
  private static final class Cutter {
    private final int size;
    private List<Bytes> part = new ArrayList<>();
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
          full.add(new ValuePart(number++, part, false));
          part = new ArrayList<>();
          filled = 0;
        }
        int count = Math.min(size - filled, piece.size() - at);
        part.add(piece.slice(at, count));
        filled += count;
        at += count;
      }
      return full;
    }

    ValuePart last() {
      return new ValuePart(number, part, true);
    }
  }
}
