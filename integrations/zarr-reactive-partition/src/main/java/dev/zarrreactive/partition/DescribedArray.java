package dev.zarrreactive.partition;

import dev.zarrreactive.ZarrArray;
import dev.zarrreactive.ZarrHierarchy;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.UnsupportedFeatureException;
import dev.zarrreactive.metadata.ArrayMetadata;
import dev.zarrreactive.metadata.MetadataLimits;
import dev.zarrreactive.metadata.NodeMetadata;
import dev.zarrreactive.metadata.NodePath;
import java.io.Serializable;

/**
 * An array with its metadata, as a driver sends it to other machines, which ask the store for none.
 * The metadata may be stored later. Immutable, serializable and thread-safe.
 *
 * @param path the path of the array
 * @param zarrFormat 2 or 3
 * @param document {@code zarr.json} or {@code .zarray}, as text
 * @param attributes the attributes, as text
 */
public record DescribedArray(String path, int zarrFormat, String document, String attributes)
    implements Serializable {
  private static final long serialVersionUID = 1;

  /**
   * Describes an array.
   *
   * @throws UnsupportedFeatureException for an array of a draft of Zarr v3
   */
  public static DescribedArray of(String path, ArrayMetadata metadata) {
    if (metadata.draft() != null) {
      throw new UnsupportedFeatureException(
          "an array of a draft of Zarr v3 is opened where it is read", Location.ofNode(path));
    }
    return new DescribedArray(
        path,
        metadata.zarrFormat(),
        metadata.document().toString(),
        metadata.attributes().toString());
  }

  /**
   * Returns the metadata.
   *
   * @throws dev.zarrreactive.error.MetadataException for a document that is none of an array
   */
  public ArrayMetadata metadata() {
    NodePath node = NodePath.of(path);
    if (zarrFormat == 2) {
      return ArrayMetadata.parseV2(
          Bytes.utf8(document), Bytes.utf8(attributes), node, MetadataLimits.defaults());
    }
    NodeMetadata read = NodeMetadata.parse(Bytes.utf8(document), node);
    return (ArrayMetadata) read;
  }

  /** Returns the array, without a request. */
  public ZarrArray open(ZarrHierarchy hierarchy) {
    return hierarchy.array(path, metadata());
  }
}
