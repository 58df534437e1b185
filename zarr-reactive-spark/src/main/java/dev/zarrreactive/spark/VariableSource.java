package dev.zarrreactive.spark;

import dev.zarrreactive.ZarrArray;
import dev.zarrreactive.ZarrHierarchy;
import dev.zarrreactive.dataset.cf.CfDecoding;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.json.JsonDocument;
import dev.zarrreactive.json.JsonObject;
import dev.zarrreactive.json.JsonText;
import dev.zarrreactive.metadata.ArrayMetadata;
import dev.zarrreactive.metadata.Drafts;
import dev.zarrreactive.metadata.MetadataLimits;
import dev.zarrreactive.metadata.MetadataReader;
import dev.zarrreactive.metadata.NodeMetadata;
import dev.zarrreactive.metadata.NodePath;
import dev.zarrreactive.store.Bytes;
import java.io.Serializable;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * An array with its metadata, as the driver sends it to the executors, which ask the store for
 * none.
 *
 * @param document the array's document; null for a draft of Zarr v3, which executors read
 * @param attributes the attributes of the array as they are stored
 * @param deciding the attributes that decide what values mean
 * @param joins true if the last dimension has the characters of texts
 */
record VariableSource(
    String path,
    int zarrFormat,
    @Nullable String document,
    String attributes,
    String deciding,
    TableOptions.Rules rules,
    boolean joins)
    implements Serializable {
  private static final long serialVersionUID = 1;

  /** An array that is ready to be read, without a request so far. */
  record Opened(ZarrArray array, CfDecoding decoding) {}

  static VariableSource of(ZarrArray array, CfDecoding decoding, TableOptions.Rules rules) {
    ArrayMetadata metadata = array.metadata();
    return new VariableSource(
        array.path().value(),
        metadata.zarrFormat(),
        metadata.draft() == null ? JsonText.write(metadata.document()) : null,
        JsonText.write(array.attributes()),
        JsonText.write(decoding.attributes()),
        rules,
        decoding.joinsCharacters());
  }

  Mono<Opened> open(ZarrHierarchy hierarchy) {
    return document == null
        ? hierarchy.openArray(path).map(this::opened)
        : Mono.fromSupplier(() -> opened(hierarchy.array(path, metadata(document))));
  }

  private Opened opened(ZarrArray array) {
    JsonObject attributesThatDecide =
        (JsonObject)
            JsonDocument.parseAttributes(
                    ByteBuffer.wrap(deciding.getBytes(StandardCharsets.UTF_8)),
                    Location.ofNode(path))
                .value();
    return new Opened(
        array, CfDecoding.of(array.metadata(), attributesThatDecide, rules.rules(), joins));
  }

  private ArrayMetadata metadata(String text) {
    NodePath node = NodePath.of(path);
    if (zarrFormat == 2) {
      return MetadataReader.readV2Array(
          Bytes.utf8(text), Bytes.utf8(attributes), node, MetadataLimits.defaults());
    }
    NodeMetadata read = MetadataReader.read(Bytes.utf8(text), node, Drafts.none());
    return (ArrayMetadata) read;
  }
}
