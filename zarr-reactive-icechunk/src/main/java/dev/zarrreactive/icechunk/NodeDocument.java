package dev.zarrreactive.icechunk;

import dev.zarrreactive.array.Shape;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.chunkgrid.ChunkGrid;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.MetadataException;
import dev.zarrreactive.extension.NamedConfiguration;
import dev.zarrreactive.internal.icechunk.NodeRecord;
import dev.zarrreactive.json.JsonDocument;
import dev.zarrreactive.json.LocatedJson;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A metadata document that a session stores, with what a snapshot says of the node beside it.
 *
 * @param grid without a manifest; null for a group
 */
record NodeDocument(Bytes bytes, NodeRecord.@Nullable Grid grid) {
  private static final long MOST_CHUNKS = 0xffff_ffffL;

  /**
   * Reads a document.
   *
   * @throws MetadataException for a document that Icechunk cannot hold: of another version of Zarr
   *     than 3, or with chunk keys other than {@code c/0/1}
   */
  static NodeDocument parse(StoreKey key, Bytes bytes) {
    LocatedJson json = JsonDocument.parse(bytes.asByteBuffer(), Location.ofKey(key.value()));
    json.member("zarr_format").integer(3, 3);
    Bytes kept = Bytes.wrap(bytes.toByteArray());
    if (json.member("node_type").oneOf("array", "group").equals("group")) {
      return new NodeDocument(kept, null);
    }
    checkKeys(json);
    long[] lengths = json.member("shape").integers(0, Long.MAX_VALUE);
    List<Long> chunks = new ArrayList<>();
    List<Long> shape = new ArrayList<>();
    Shape counts =
        ChunkGrid.of(NamedConfiguration.parse(json.member("chunk_grid")), Shape.of(lengths))
            .gridShape();
    for (int axis = 0; axis < lengths.length; axis++) {
      if (counts.extent(axis) > MOST_CHUNKS) {
        throw json.member("shape")
            .error(
                counts.extent(axis)
                    + " chunks along axis "
                    + axis
                    + "; an Icechunk repository has at most "
                    + MOST_CHUNKS);
      }
      chunks.add(counts.extent(axis));
      shape.add(lengths[axis]);
    }
    return new NodeDocument(kept, new NodeRecord.Grid(shape, chunks, names(json), List.of()));
  }

  private static void checkKeys(LocatedJson json) {
    NamedConfiguration encoding = NamedConfiguration.parse(json.member("chunk_key_encoding"));
    LocatedJson separator = encoding.configuration().optional("separator");
    if (!encoding.name().equals("default")
        || (separator != null && !separator.string().equals("/"))) {
      throw json.member("chunk_key_encoding")
          .error(
              "an Icechunk repository has chunks under keys such as c/0/1 alone; use the encoding"
                  + " \"default\" with the separator \"/\"");
    }
  }

  private static @Nullable List<@Nullable String> names(LocatedJson json) {
    LocatedJson names = json.nonNull("dimension_names");
    if (names == null) {
      return null;
    }
    List<@Nullable String> all = new ArrayList<>();
    for (LocatedJson name : names.elements()) {
      all.add(name.isNull() ? null : name.string());
    }
    return all;
  }

  /** The number of dimensions; negative for a group. */
  int rank() {
    NodeRecord.Grid array = grid;
    return array == null ? -1 : array.chunks().size();
  }
}
