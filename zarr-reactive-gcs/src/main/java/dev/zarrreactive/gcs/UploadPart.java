package dev.zarrreactive.gcs;

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
record UploadPart(int number, List<Bytes> pieces, boolean isLast) {
  /** Returns the parts of {@code value}, which has at least one byte, without a copy. */
  static Flux<UploadPart> of(Bytes value, int size) {
    int count = (int) ((value.size() + size - 1L) / size);
    return Flux.range(0, count)
        .map(
            index -> {
              int offset = index * size;
              Bytes bytes = value.slice(offset, Math.min(size, value.size() - offset));
              return new UploadPart(index + 1, List.of(bytes), index == count - 1);
            });
  }

  /**
   * Returns the parts of a value that arrives in pieces, which are not copied; one empty part where
   * there is no byte.
   */
  static Flux<UploadPart> of(Publisher<Bytes> pieces, int size) {
    return Flux.defer(
        () -> {
          Cutter cutter = new Cutter(size);
          Flux<UploadPart> full = Flux.from(pieces).concatMapIterable(cutter::cut, 1);
          return Flux.concat(List.of(full, Mono.fromSupplier(cutter::last)));
        });
  }

  /** Returns the number of its bytes. */
  long size() {
    return pieces.stream().mapToLong(Bytes::size).sum();
  }

  /** Returns its bytes from an offset on. */
  List<Bytes> from(long offset) {
    List<Bytes> rest = new ArrayList<>();
    long skipped = offset;
    for (Bytes piece : pieces) {
      if (skipped < piece.size()) {
        rest.add(piece.slice((int) skipped, piece.size() - (int) skipped));
      }
      skipped = Math.max(0, skipped - piece.size());
    }
    return rest;
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

    List<UploadPart> cut(Bytes piece) {
      List<UploadPart> full = new ArrayList<>();
      int at = 0;
      while (at < piece.size()) {
        if (filled == size) {
          full.add(new UploadPart(number++, part, false));
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

    UploadPart last() {
      return new UploadPart(number, part, true);
    }
  }
}
