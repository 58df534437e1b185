package dev.zarrreactive.array;

import dev.zarrreactive.datatype.DataType;

/**
 * Makes elements of one type from the images of another, one for one, while an array is read. Codec
 * threads call it, several at a time.
 */
public interface ElementConversion {
  /** The type of the results, of a fixed length. */
  DataType target();

  /**
   * Converts elements, which are images as {@link NdArray#bytes} has them, little-endian.
   *
   * @param source has the stored elements, which are only read
   * @param at the first byte of the source
   * @param count the number of elements; a long row, or a single one
   * @param result takes the results
   * @param to the first byte of the results
   */
  void convert(byte[] source, int at, int count, byte[] result, int to);
}
