package dev.zarrreactive.partition;

import dev.zarrreactive.ZarrArray;
import dev.zarrreactive.ZarrHierarchy;
import dev.zarrreactive.cf.CfDecoding;
import dev.zarrreactive.cf.CfRule;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.json.JsonDocument;
import dev.zarrreactive.json.JsonObject;
import dev.zarrreactive.metadata.ArrayMetadata;
import java.io.Serializable;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * An array with its metadata and the meaning of its values, as a driver sends it to the machines
 * that read, which ask the store for none. Immutable, serializable and thread-safe.
 *
 * @param path the path of the array
 * @param described the array's metadata; null for a draft of Zarr v3, which each machine reads
 * @param deciding the attributes that decide what values mean, as text
 * @param rules the rules by which values are decoded
 * @param joins true if the last dimension has the characters of texts
 */
public record VariableSource(
    String path,
    @Nullable DescribedArray described,
    String deciding,
    Set<CfRule> rules,
    boolean joins)
    implements Serializable {
  private static final long serialVersionUID = 1;

  /** Copies {@code rules}. */
  public VariableSource {
    rules = Set.copyOf(rules);
  }

  /**
   * An array that is ready to be read, without a request so far.
   *
   * @param array the array
   * @param decoding what its values mean
   */
  public record Opened(ZarrArray array, CfDecoding decoding) {}

  /** Describes an array whose values are decoded by some rules. */
  public static VariableSource of(ZarrArray array, CfDecoding decoding, Set<CfRule> rules) {
    String path = array.path().value();
    ArrayMetadata metadata = array.metadata();
    return new VariableSource(
        path,
        metadata.draft() == null ? DescribedArray.of(path, metadata) : null,
        decoding.attributes().toString(),
        rules,
        decoding.joinsCharacters());
  }

  /** Opens the array, without a request but for a draft. */
  public Mono<Opened> open(ZarrHierarchy hierarchy) {
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
    return new Opened(array, CfDecoding.of(array.metadata(), attributesThatDecide, rules, joins));
  }
}
