package dev.zarrreactive.interop;

import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.metadata.ArrayMetadata;

/**
 * An array to be written here and read by others.
 *
 * @param name a name that may stand in a path
 * @param part the rows (indices of the first dimension) that are written
 * @param content all its elements
 * @param from the first row that is written
 * @param to the row behind the last one; what is not written is fill value in {@code content}
 * @param isExact false where a codec rounds, so that what is read here is what others must read
 */
record Written(
    String name,
    ArrayMetadata metadata,
    NdArray part,
    NdArray content,
    long from,
    long to,
    boolean isExact) {

  /** An array that is written whole. */
  static Written whole(String name, ArrayMetadata metadata) {
    return of(name, metadata, WrittenElements.random(metadata, name.hashCode()));
  }

  /** An array of these elements. */
  static Written of(String name, ArrayMetadata metadata, NdArray content) {
    return new Written(name, metadata, content, content, 0, rows(metadata), true);
  }

  /** An array of which some rows are written. */
  static Written rows(String name, ArrayMetadata metadata, long from, long to) {
    NdArray random = WrittenElements.random(metadata, name.hashCode());
    NdArray part = WrittenElements.rows(random, from, to);
    NdArray content = NdArray.filled(metadata.shape(), metadata.fillValue());
    return new Written(
        name, metadata, part, WrittenElements.withRows(content, from, part), from, to, true);
  }

  /** An array that is written whole, with a codec that rounds. */
  static Written rounded(String name, ArrayMetadata metadata) {
    NdArray content = WrittenElements.random(metadata, name.hashCode());
    return new Written(name, metadata, content, content, 0, rows(metadata), false);
  }

  private static long rows(ArrayMetadata metadata) {
    return metadata.shape().rank() == 0 ? 1 : metadata.shape().extent(0);
  }

  boolean isWhole() {
    return from == 0 && to == rows(metadata);
  }

  @Override
  public String toString() {
    return name;
  }
}
