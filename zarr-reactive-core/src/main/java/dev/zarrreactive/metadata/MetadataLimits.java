package dev.zarrreactive.metadata;

import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.UnsupportedFeatureException;
import dev.zarrreactive.json.JsonArray;
import dev.zarrreactive.json.JsonDocument;
import dev.zarrreactive.json.LocatedJson;
import dev.zarrreactive.store.ByteRange;

/**
 * How large metadata may be, so that a document that was made to do harm costs neither the heap nor
 * a thread. A node that exceeds a limit cannot be opened, and the error says which limit it is.
 * Immutable.
 *
 * @param bytes the most bytes of one document; a store refuses a larger one before it reads it
 * @param elements the most JSON values of one document; of a list of integers, four count as one
 * @param nodes the most nodes of one consolidated metadata; more are not used
 * @param rank the most dimensions of an array
 */
public record MetadataLimits(long bytes, long elements, int nodes, int rank) {
  private static final MetadataLimits DEFAULTS = ofHeap(Runtime.getRuntime().maxMemory());

  /** Checks that each limit allows something. */
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
   * The defaults: the smaller of 64 MiB and a quarter of the heap, the smaller of 10 million
   * elements and one for each 256 bytes of the heap, 500,000 nodes, 1,024 dimensions.
   */
  public static MetadataLimits defaults() {
    return DEFAULTS;
  }

  /** The defaults on a heap of this size. */
  static MetadataLimits ofHeap(long heap) {
    return new MetadataLimits(
        Math.max(1, Math.min(64 << 20, heap / 4)),
        Math.max(1, Math.min(10_000_000, heap / 256)),
        500_000,
        1_024);
  }

  /**
   * With at most this number of bytes in one document; {@link JsonDocument#MAX_BYTES} is the most.
   */
  public MetadataLimits withBytes(long most) {
    return new MetadataLimits(most, elements, nodes, rank);
  }

  /** With at most this number of JSON values in one document. */
  public MetadataLimits withElements(long most) {
    return new MetadataLimits(bytes, most, nodes, rank);
  }

  /** With at most this number of nodes in one consolidated metadata. */
  public MetadataLimits withNodes(int most) {
    return new MetadataLimits(bytes, elements, most, rank);
  }

  /** With at most this number of dimensions of an array. */
  public MetadataLimits withRank(int most) {
    return new MetadataLimits(bytes, elements, nodes, most);
  }

  /** What to ask a store for, to get a document. */
  public ByteRange range() {
    return ByteRange.whole(bytes);
  }

  /**
   * Checks a document that is to be stored: what exceeds the limit could not be read again.
   *
   * @throws UnsupportedFeatureException where it has too many bytes
   */
  public void checkSize(long size, Location place) {
    if (size > bytes) {
      throw new UnsupportedFeatureException(
          "the document would have " + size + " bytes; the options allow at most " + bytes, place);
    }
  }

  /**
   * Checks the number of dimensions before anything looks at them.
   *
   * @throws UnsupportedFeatureException where it is too large
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
   * Checks the number of consolidated nodes before anything is made of them.
   *
   * @throws dev.zarrreactive.error.MetadataException where it is too large
   */
  void checkNodes(LocatedJson documents, int count) {
    if (count > nodes) {
      throw documents.error(
          "the consolidated metadata have "
              + count
              + " nodes; the options allow at most "
              + nodes
              + ", so that they are not used");
    }
  }
}
