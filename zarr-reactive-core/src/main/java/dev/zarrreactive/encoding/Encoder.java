package dev.zarrreactive.encoding;

import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.spi.Spi;

/**
 * Encodes the elements of one subscription: first {@link #begin}, then all bands in order, part by
 * part, then {@link #end}. The library calls it on one thread at a time, and cuts the bytes into
 * pieces. The calls stop after an error or a cancel. An encoder is not closed, so it holds memory
 * only. It never blocks.
 */
@Spi
public interface Encoder {
  /**
   * Some encoded elements.
   *
   * @param bytes any number of bytes, also none
   * @param next the element of the band that follows, or the number of elements after the last
   */
  record Part(Bytes bytes, int next) {}

  /** Returns the bytes before the first element. It is called for an empty selection, too. */
  default Bytes begin() {
    return Bytes.EMPTY;
  }

  /**
   * Encodes one element at least.
   *
   * @param band the next elements of the selection in C order, converted where there is an {@link
   *     Encoding#conversion}; its shape means nothing
   * @param from the first element to encode
   * @param size the number of bytes to aim at
   */
  Part encode(NdArray band, int from, int size);

  /** Returns the bytes after the last element. */
  default Bytes end() {
    return Bytes.EMPTY;
  }

  /**
   * Returns true if the parts are views of a band's memory, which take no time. They are made on
   * the thread that demands them. Otherwise a thread of the codec scheduler encodes.
   */
  default boolean isView() {
    return false;
  }

  /**
   * Returns true if {@link #encode} gives every element as many bytes as its image has, {@link
   * dev.zarrreactive.datatype.DataType#itemSize}, and {@link #end} gives none. Ranges of bytes can
   * be read then without the elements before.
   */
  default boolean isFixedSize() {
    return false;
  }
}
