package dev.zarrreactive.spark.write;

import static org.apache.spark.sql.functions.expr;
import static org.apache.spark.sql.functions.max;

import dev.zarrreactive.ZarrHierarchy;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.datatype.VariableLengthType;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.UnsupportedFeatureException;
import dev.zarrreactive.metadata.ArrayMetadata;
import dev.zarrreactive.metadata.NodeMetadata;
import dev.zarrreactive.metadata.NodePath;
import dev.zarrreactive.partition.Pull;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * The arrays of a write whose rows are chunks.
 *
 * @param nodes the metadata of new arrays; empty for arrays that exist
 */
record ChunkTarget(
    ZarrHierarchy hierarchy,
    String path,
    List<ArrayTarget> arrays,
    Map<String, NodeMetadata> nodes,
    @Nullable Claim claim)
    implements WriteTarget {

  /** Returns the arrays that rows name, which exist. */
  static WriteTarget existing(ZarrHierarchy hierarchy, WriteOptions options, Dataset<Row> rows)
      throws IOException {
    List<ArrayTarget> arrays = new ArrayList<>();
    for (Row row : rows.select("array").distinct().collectAsList()) {
      String path = checked(options, row.getString(0));
      ArrayMetadata metadata = Pull.one(hierarchy.openArray(path)).metadata();
      arrays.add(ArrayTarget.ofElements(path, checked(path, metadata)));
    }
    return new ChunkTarget(hierarchy, options.group(), arrays, Map.of(), null);
  }

  /** Returns new arrays, whose shapes a job finds from the chunks. */
  static WriteTarget created(ZarrHierarchy hierarchy, WriteOptions options, Dataset<Row> rows) {
    Map<String, long[]> ends = new TreeMap<>();
    Map<String, long[]> chunks = new TreeMap<>();
    Map<String, String> types = new TreeMap<>();
    for (Row row :
        rows.selectExpr(
                "array",
                "data_type",
                "size(origin) AS rank",
                "posexplode(arrays_zip(origin, shape)) AS (d, box)")
            .groupBy("array", "data_type", "rank", "d")
            .agg(max(expr("box.origin + box.shape")), max(expr("box.shape")))
            .collectAsList()) {
      String path = checked(options, row.getString(0));
      String type = row.getString(1);
      String other = types.putIfAbsent(path, type);
      int rank = row.getInt(2);
      int d = row.getInt(3);
      long[] end = ends.computeIfAbsent(path, any -> new long[rank]);
      long[] chunk = chunks.computeIfAbsent(path, any -> new long[rank]);
      if ((other != null && !other.equals(type)) || end.length != rank) {
        throw new IllegalArgumentException(
            "the chunks of " + path + " have several data types or numbers of dimensions");
      }
      end[d] = row.getLong(4);
      chunk[d] = row.getLong(5);
    }
    Map<String, NodeMetadata> nodes = new LinkedHashMap<>();
    List<ArrayTarget> arrays = new ArrayList<>();
    ends.forEach(
        (path, end) -> {
          ArrayMetadata metadata =
              new NewVariables(options, List.of())
                  .array(
                      NodePath.of(path).name(),
                      Objects.requireNonNull(types.get(path)),
                      Shape.of(end),
                      Objects.requireNonNull(chunks.get(path)));
          nodes.put(path, metadata);
          arrays.add(ArrayTarget.ofElements(path, checked(path, metadata)));
        });
    if (arrays.isEmpty()) {
      throw new IllegalArgumentException("there is no chunk of an array with dimensions");
    }
    return new ChunkTarget(hierarchy, options.group(), arrays, nodes, Claim.of(options.group()));
  }

  private static String checked(WriteOptions options, String path) {
    NodePath array = NodePath.of(path);
    NodePath group = NodePath.of(options.group());
    if (!group.contains(array)) {
      throw new IllegalArgumentException(
          "the chunks are of the array " + array + ", which is not in the group " + group);
    }
    return array.value();
  }

  private static ArrayMetadata checked(String path, ArrayMetadata metadata) {
    if (metadata.dataType() instanceof VariableLengthType) {
      throw new UnsupportedFeatureException(
          "values of variable length, of "
              + metadata.dataType()
              + ", have no bytes in C order; write them as cells",
          Location.ofNode(path));
    }
    return metadata;
  }

  @Override
  public List<DimensionLabels> labels() {
    return List.of();
  }

  @Override
  public boolean isNew() {
    return !nodes.isEmpty();
  }

  @Override
  public Mono<Void> begin() {
    return claim == null ? Mono.empty() : claim.takeEmpty(hierarchy.store());
  }

  @Override
  public Mono<Void> commit() {
    return claim == null
        ? Mono.empty()
        : hierarchy.create(nodes).then(Mono.defer(() -> claim.release(hierarchy.store())));
  }

  @Override
  public Mono<Void> abort() {
    return claim == null
        ? Mono.empty()
        : claim.release(hierarchy.store()).then(Mono.defer(() -> hierarchy.erase(path)));
  }
}
