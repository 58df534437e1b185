package dev.zarrreactive.internal.read;

import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.store.Bytes;

/**
 * Takes decoded pieces. Several threads hand pieces over at a time.
 *
 * @param <T> what becomes of a piece
 */
interface Sink<T> {
  /** Decodes a piece from its stored bytes, and takes it. */
  T stored(Piece piece, Bytes encoded);

  /** Takes the part of a decoded chunk that is wanted. */
  T decoded(Piece piece, NdArray chunk);

  /** Takes a piece that is not stored, whose elements are fill value. */
  T missing(Piece piece);
}
