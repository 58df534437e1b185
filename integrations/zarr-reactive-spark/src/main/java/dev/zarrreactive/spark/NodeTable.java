package dev.zarrreactive.spark;

import dev.zarrreactive.UnreadableNode;
import dev.zarrreactive.ZarrArray;
import dev.zarrreactive.ZarrNode;
import dev.zarrreactive.json.JsonArray;
import dev.zarrreactive.metadata.ArrayMetadata;
import dev.zarrreactive.metadata.DimensionNames;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.catalyst.util.GenericArrayData;
import org.apache.spark.sql.connector.catalog.SupportsRead;
import org.apache.spark.sql.connector.catalog.Table;
import org.apache.spark.sql.connector.catalog.TableCapability;
import org.apache.spark.sql.connector.read.LocalScan;
import org.apache.spark.sql.connector.read.ScanBuilder;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.util.CaseInsensitiveStringMap;
import org.apache.spark.unsafe.types.UTF8String;
import org.jspecify.annotations.Nullable;

/** The nodes of a hierarchy with their metadata, which the driver has read: a row for each. */
record NodeTable(String location, List<ZarrNode> nodes) implements Table, SupportsRead {
  private static final StructType SCHEMA =
      new StructType()
          .add("path", DataTypes.StringType, false)
          .add("kind", DataTypes.StringType, false)
          .add("zarr_format", DataTypes.IntegerType, true)
          .add("data_type", DataTypes.StringType, true)
          .add("shape", DataTypes.createArrayType(DataTypes.LongType, false), true)
          .add("chunk_shape", DataTypes.createArrayType(DataTypes.LongType, false), true)
          .add("dimension_names", DataTypes.createArrayType(DataTypes.StringType, true), true)
          .add("fill_value", DataTypes.StringType, true)
          .add("codecs", DataTypes.StringType, true)
          .add("attributes", DataTypes.StringType, true);

  @Override
  public String name() {
    return "zarr nodes of " + location;
  }

  @Override
  @SuppressWarnings("deprecation") // columns() leads here
  public StructType schema() {
    return SCHEMA;
  }

  @Override
  public Set<TableCapability> capabilities() {
    return Set.of(TableCapability.BATCH_READ);
  }

  @Override
  public ScanBuilder newScanBuilder(CaseInsensitiveStringMap readOptions) {
    return () -> new Nodes(nodes);
  }

  /** All rows, without a task. */
  private record Nodes(List<ZarrNode> nodes) implements LocalScan {
    @Override
    public StructType readSchema() {
      return SCHEMA;
    }

    @Override
    public InternalRow[] rows() {
      return nodes.stream().map(Nodes::row).toArray(InternalRow[]::new);
    }

    private static InternalRow row(ZarrNode node) {
      if (node instanceof UnreadableNode) {
        return row(node, "unreadable", null, null);
      } else if (node instanceof ZarrArray array) {
        ArrayMetadata metadata = array.metadata();
        List<@Nullable Object> names = new ArrayList<>();
        DimensionNames.of(metadata)
            .names()
            .forEach(name -> names.add(name == null ? null : UTF8String.fromString(name)));
        JsonArray codecs =
            new JsonArray(List.copyOf(metadata.codecs().stream().map(c -> c.toJson()).toList()));
        return new GenericInternalRow(
            new @Nullable Object[] {
              text(node.path().value()),
              text("array"),
              metadata.zarrFormat(),
              text(array.dataType().name()),
              longs(array.shape().toArray()),
              longs(array.chunkGrid().largestChunkShape().toArray()),
              names.isEmpty() ? null : new GenericArrayData(names.toArray()),
              text(array.fillValue().toJson().toString()),
              text(codecs.toString()),
              text(node.attributes().toString())
            });
      }
      return row(node, "group", node.metadata().zarrFormat(), node.attributes().toString());
    }

    private static InternalRow row(
        ZarrNode node, String kind, @Nullable Integer format, @Nullable String attributes) {
      return new GenericInternalRow(
          new @Nullable Object[] {
            text(node.path().value()),
            text(kind),
            format,
            null,
            null,
            null,
            null,
            null,
            null,
            attributes == null ? null : text(attributes)
          });
    }

    private static UTF8String text(String text) {
      return Objects.requireNonNull(UTF8String.fromString(text));
    }

    private static GenericArrayData longs(long[] values) {
      return new GenericArrayData(values);
    }
  }
}
