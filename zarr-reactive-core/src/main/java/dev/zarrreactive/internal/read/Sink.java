package dev.zarrreactive.internal.read;

import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.base.Bytes;

/**
 * Consumes decoded pieces. Several threads may call it at the same time.
 *
 * @param <T> the result of consuming a piece
 */
interface Sink<T> {
  /** Decodes a piece from its stored bytes and consumes it. */
  T stored(Piece piece, Bytes encoded);

  /** Consumes the selected part of a decoded chunk. */
  T decoded(Piece piece, NdArray chunk);

  /** Consumes a missing piece, whose elements have the fill value. */
  T missing(Piece piece);
}
