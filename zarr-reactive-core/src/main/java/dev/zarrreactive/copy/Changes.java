package dev.zarrreactive.copy;

import dev.zarrreactive.array.Shape;
import dev.zarrreactive.error.ZarrException;
import dev.zarrreactive.extension.NamedConfiguration;
import dev.zarrreactive.json.JsonText;
import dev.zarrreactive.metadata.MetadataReader;
import dev.zarrreactive.metadata.NodeMetadata;
import dev.zarrreactive.metadata.NodePath;
import dev.zarrreactive.store.Bytes;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a copy makes different. What is null stays as it is.
 *
 * @param zarrFormat 2 or 3
 * @param chunkShape of arrays with as many dimensions
 * @param shardShape of arrays with as many dimensions
 * @param codecs of every array
 * @param conventions true where other programs shall see the same in the other format
 */
record Changes(
    @Nullable Integer zarrFormat,
    @Nullable Shape chunkShape,
    @Nullable Shape shardShape,
    @Nullable List<NamedConfiguration> codecs,
    boolean conventions) {
  static final Changes NONE = new Changes(null, null, null, null, true);

  Changes withZarrFormat(int format) {
    return new Changes(format, chunkShape, shardShape, codecs, conventions);
  }

  Changes withChunkShape(Shape shape) {
    return new Changes(zarrFormat, shape, shardShape, codecs, conventions);
  }

  Changes withShardShape(Shape shape) {
    return new Changes(zarrFormat, chunkShape, shape, codecs, conventions);
  }

  Changes withCodecs(List<NamedConfiguration> chain) {
    return new Changes(zarrFormat, chunkShape, shardShape, List.copyOf(chain), conventions);
  }

  Changes withConventions(boolean follow) {
    return new Changes(zarrFormat, chunkShape, shardShape, codecs, follow);
  }

  /** The format of the copy of a node. */
  int zarrFormat(NodeMetadata source) {
    return zarrFormat != null ? zarrFormat : source.zarrFormat() == 2 ? 2 : 3;
  }

  /** True where the node's document is one of the copy's format already, and of no draft. */
  boolean keepsFormat(NodeMetadata source) {
    return zarrFormat(source) == source.zarrFormat()
        && (source.zarrFormat() == 2 || isRatified(source));
  }

  /** Read again without any leniency. */
  private static boolean isRatified(NodeMetadata source) {
    try {
      MetadataReader.read(Bytes.utf8(JsonText.write(source.document())), NodePath.ROOT);
      return true;
    } catch (ZarrException e) {
      return false;
    }
  }

  /** The chunk shape of the copy of an array of so many dimensions. */
  @Nullable Shape chunkShape(int rank) {
    return chunkShape != null && chunkShape.rank() == rank ? chunkShape : null;
  }

  /** The shard shape of the copy of an array of so many dimensions. */
  @Nullable Shape shardShape(int rank) {
    return shardShape != null && shardShape.rank() == rank ? shardShape : null;
  }
}
