package dev.zarrreactive.spark;

import dev.zarrreactive.ZarrArray;
import dev.zarrreactive.ZarrHierarchy;
import dev.zarrreactive.cf.CfDecoding;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.json.JsonDocument;
import dev.zarrreactive.json.JsonObject;
import dev.zarrreactive.metadata.ArrayMetadata;
import dev.zarrreactive.spark.partition.DescribedArray;
import java.io.Serializable;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * An array with its metadata, as the driver sends it to the executors, which ask the store for
 * none.
 *
 * @param described the array's metadata; null for a draft of Zarr v3, which executors read
 * @param deciding the attributes that decide what values mean
 * @param joins true if the last dimension has the characters of texts
 */
record VariableSource(
    String path,
    @Nullable DescribedArray described,
    String deciding,
    TableOptions.Rules rules,
    boolean joins)
    implements Serializable {
  private static final long serialVersionUID = 1;

  /** An array that is ready to be read, without a request so far. */
  record Opened(ZarrArray array, CfDecoding decoding) {}

  static VariableSource of(ZarrArray array, CfDecoding decoding, TableOptions.Rules rules) {
    String path = array.path().value();
    ArrayMetadata metadata = array.metadata();
    return new VariableSource(
        path,
        metadata.draft() == null ? DescribedArray.of(path, metadata) : null,
        decoding.attributes().toString(),
        rules,
        decoding.joinsCharacters());
  }

  Mono<Opened> open(ZarrHierarchy hierarchy) {
    return described == null
        ? hierarchy.openArray(path).map(this::opened)
        : Mono.fromSupplier(() -> opened(described.open(hierarchy)));
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
}
