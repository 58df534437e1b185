package dev.zarrreactive.cli.describe;

import dev.zarrreactive.ZarrArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.chunkgrid.ChunkGrid;
import dev.zarrreactive.chunkkey.ChunkKeyEncoding;
import dev.zarrreactive.cli.console.Quantities;
import dev.zarrreactive.cli.output.ElementText;
import dev.zarrreactive.datatype.VariableLengthType;
import dev.zarrreactive.extension.NamedConfiguration;
import dev.zarrreactive.json.JsonArray;
import dev.zarrreactive.json.JsonString;
import dev.zarrreactive.json.JsonValue;
import dev.zarrreactive.metadata.ArrayMetadata;
import java.math.BigInteger;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.StringJoiner;
import java.util.stream.Collectors;

/** An array described for people. */
public final class ArrayDescription {
  private static final String V2_DIMENSIONS = "_ARRAY_DIMENSIONS";

  private final String name;
  private final ZarrArray array;

  private ArrayDescription(String name, ZarrArray array) {
    this.name = name;
    this.array = array;
  }

  /**
   * Describes {@code array}.
   *
   * @param name the array in the user's words
   */
  public static ArrayDescription of(String name, ZarrArray array) {
    return new ArrayDescription(name, array);
  }

  /** Returns the description, on several lines. */
  public String text(boolean colour) {
    ArrayMetadata metadata = array.metadata();
    return new FieldTable(colour)
        .field("array", name)
        .field("format", Format.of(metadata))
        .field("shape", array.shape().toString())
        .field("dimensions", dimensions(metadata))
        .field("data type", array.dataType().toString())
        .field("fill value", ElementText.of(array.dataType(), array.fillValue().toJson()))
        .field("chunk grid", grid())
        .field("chunks", chunks())
        .field("chunk keys", keys(metadata.chunkKeyEncoding()))
        .field("codecs", codecs(metadata))
        .field("size", size())
        .attributes(array.attributes())
        .toString();
  }

  private static String dimensions(ArrayMetadata metadata) {
    if (metadata.dimensionNames().stream().allMatch(Objects::isNull)) {
      return dimensionsOfV2(metadata);
    }
    return metadata.dimensionNames().stream()
        .map(dimension -> dimension == null ? "-" : dimension)
        .collect(Collectors.joining(", "));
  }

  /**
   * Returns the names of dimensions, which xarray and others write into an attribute in Zarr v2.
   */
  private static String dimensionsOfV2(ArrayMetadata metadata) {
    if (metadata.zarrFormat() == 2
        && metadata.shape().rank() > 0
        && metadata.attributes().get(V2_DIMENSIONS) instanceof JsonArray names
        && names.elements().size() == metadata.shape().rank()
        && names.elements().stream().allMatch(JsonString.class::isInstance)) {
      return names.elements().stream()
          .map(ArrayDescription::plain)
          .collect(Collectors.joining(", ", "", " (attribute " + V2_DIMENSIONS + ")"));
    }
    return "unnamed";
  }

  private String grid() {
    ChunkGrid grid = array.chunkGrid();
    String kind = array.metadata().chunkGrid().name();
    return kind
        + (kind.equals("regular") ? ", chunks of " : ", chunks of at most ")
        + grid.largestChunkShape();
  }

  private String chunks() {
    Shape grid = array.chunkGrid().gridShape();
    String count = Quantities.number(grid.elementCount());
    if (grid.rank() < 2) {
      return count;
    }
    return count
        + " = "
        + Arrays.stream(grid.toArray()).mapToObj(Long::toString).collect(Collectors.joining(" x "));
  }

  private String keys(NamedConfiguration encoding) {
    long[] last = array.chunkGrid().gridShape().toArray();
    for (int dimension = 0; dimension < last.length; dimension++) {
      last[dimension] = Math.max(0, last[dimension] - 1);
    }
    String key = ChunkKeyEncoding.of(encoding).encode(last);
    return encoding.name()
        + ", such as "
        + (array.metadata().draft2022() == null
            ? key
            : array.metadata().chunkKey(array.path(), key).value());
  }

  private static List<String> codecs(ArrayMetadata metadata) {
    return metadata.codecs().stream().map(ArrayDescription::codec).toList();
  }

  private static String codec(NamedConfiguration codec) {
    StringJoiner settings = new StringJoiner(", ", " (", ")").setEmptyValue("");
    codec
        .configuration()
        .object()
        .members()
        .forEach((member, value) -> settings.add(member + " " + plain(value)));
    return codec.name() + settings;
  }

  private static String plain(JsonValue value) {
    return value instanceof JsonString string ? string.value() : value.toString();
  }

  private String size() {
    if (array.dataType() instanceof VariableLengthType) {
      return Quantities.plural(array.shape().elementCount(), "element") + " of variable length";
    }
    BigInteger item = BigInteger.valueOf(array.dataType().itemSize());
    BigInteger whole = array.shape().elementCount().multiply(item);
    BigInteger chunk = array.chunkGrid().largestChunkShape().elementCount().multiply(item);
    return Quantities.bytes(whole)
        + " in "
        + Quantities.plural(array.shape().elementCount(), "element")
        + ", "
        + Quantities.bytes(chunk)
        + " a chunk";
  }
}
