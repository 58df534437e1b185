package dev.zarrreactive.metadata;

import dev.zarrreactive.base.ByteRange;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.UnsupportedFeatureException;
import dev.zarrreactive.json.JsonArray;
import dev.zarrreactive.json.JsonDocument;
import dev.zarrreactive.json.LocatedJson;

/**
 * The limits of metadata, which protect the heap and the threads from hostile documents. A node
 * beyond a limit is refused with an error that names the limit.
 *
 * @param bytes the maximum size of one document in bytes; a store refuses a larger one before it
 *     reads it
 * @param elements the maximum number of JSON values of one document, where four integers of a list
 *     count as one
 * @param nodes the maximum number of nodes of consolidated metadata; larger ones are ignored
 * @param rank the maximum rank of an array
 */
public record MetadataLimits(long bytes, long elements, int nodes, int rank) {
  private static final MetadataLimits DEFAULTS = ofHeap(Runtime.getRuntime().maxMemory());

  /**
   * Checks the limits.
   *
   * @throws IllegalArgumentException for one below 1, or for more bytes than {@link
   *     JsonDocument#MAX_BYTES}
   */
  public MetadataLimits {
    if (bytes < 1 || bytes > JsonDocument.MAX_BYTES) {
      throw new IllegalArgumentException(
          "a document may have from 1 to " + JsonDocument.MAX_BYTES + " bytes, not " + bytes);
    }
    if (elements < 1 || nodes < 1 || rank < 1) {
      throw new IllegalArgumentException(
          "a limit is at least 1: elements " + elements + ", nodes " + nodes + ", rank " + rank);
    }
  }

  /**
   * Returns the defaults: the smaller of 64 MiB and a quarter of the heap, the smaller of 10
   * million elements and one for each 256 bytes of the heap, 500,000 nodes, 1,024 dimensions.
   */
  public static MetadataLimits defaults() {
    return DEFAULTS;
  }

  /** Returns the defaults for a heap of this size. */
  static MetadataLimits ofHeap(long heap) {
    return new MetadataLimits(
        Math.max(1, Math.min(64 << 20, heap / 4)),
        Math.max(1, Math.min(10_000_000, heap / 256)),
        500_000,
        1_024);
  }

  /**
   * Returns a copy with another maximum size of one document, at most {@link
   * JsonDocument#MAX_BYTES}.
   */
  public MetadataLimits withBytes(long most) {
    return new MetadataLimits(most, elements, nodes, rank);
  }

  /** Returns a copy with another maximum number of JSON values of one document. */
  public MetadataLimits withElements(long most) {
    return new MetadataLimits(bytes, most, nodes, rank);
  }

  /** Returns a copy with another maximum number of nodes of consolidated metadata. */
  public MetadataLimits withNodes(int most) {
    return new MetadataLimits(bytes, elements, most, rank);
  }

  /** Returns a copy with another maximum rank of an array. */
  public MetadataLimits withRank(int most) {
    return new MetadataLimits(bytes, elements, nodes, most);
  }

  /** The range of a store's value that holds any document within the limit. */
  public ByteRange range() {
    return ByteRange.whole(bytes);
  }

  /**
   * Checks the size of a document before it is stored, so that it can be read again.
   *
   * @throws UnsupportedFeatureException if it has too many bytes
   */
  public void checkSize(long size, Location place) {
    if (size > bytes) {
      throw new UnsupportedFeatureException(
          "the document would have " + size + " bytes; the options allow at most " + bytes, place);
    }
  }

  /**
   * Checks the number of dimensions before they are parsed.
   *
   * @throws UnsupportedFeatureException if it is too large
   */
  void checkRank(LocatedJson array) {
    LocatedJson shape = array.optional("shape");
    if (shape != null
        && shape.value() instanceof JsonArray extents
        && extents.elements().size() > rank) {
      throw new UnsupportedFeatureException(
          "the array has "
              + extents.elements().size()
              + " dimensions; the options allow at most "
              + rank,
          shape.location());
    }
  }

  /**
   * Checks the number of consolidated nodes before they are parsed.
   *
   * @throws dev.zarrreactive.error.MetadataException if it is too large
   */
  void checkNodes(LocatedJson documents, int count) {
    if (count > nodes) {
      throw documents.error(
          "the consolidated metadata have "
              + count
              + " nodes; the options allow at most "
              + nodes
              + ", and the consolidated metadata are ignored");
    }
  }
}
