package dev.zarrreactive.spark.write;

import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.cf.CfDecoding;
import dev.zarrreactive.dataset.NewVariable;
import dev.zarrreactive.datatype.DataType;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.datatype.NumpyUnit;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.MetadataException;
import dev.zarrreactive.extension.NamedConfiguration;
import dev.zarrreactive.json.JsonDocument;
import dev.zarrreactive.json.JsonObject;
import dev.zarrreactive.json.LocatedJson;
import dev.zarrreactive.metadata.ArrayMetadata;
import dev.zarrreactive.metadata.ArrayMetadataBuilder;
import dev.zarrreactive.partition.TableStoreOptions;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Describes new variables by the types of columns and by options. */
final class NewVariables {
  private final WriteOptions options;
  private final List<String> dimensions;

  NewVariables(WriteOptions options, List<String> dimensions) {
    this.options = options;
    this.dimensions = dimensions;
  }

  /**
   * Returns the type of the values of a column.
   *
   * @throws IllegalArgumentException for a column that no array has
   */
  static DataType dataType(String column, org.apache.spark.sql.types.DataType type) {
    CellKind kind = CellKind.of(type);
    if (kind == null) {
      throw new IllegalArgumentException(
          "the column "
              + column
              + " of "
              + type.sql()
              + " has no data type of Zarr; cast it, or leave it out");
    }
    return switch (kind) {
      case BOOLEAN -> DataTypes.BOOL;
      case WHOLE ->
          switch (type.typeName()) {
            case "byte" -> DataTypes.INT8;
            case "short" -> DataTypes.INT16;
            case "integer" -> DataTypes.INT32;
            default -> DataTypes.INT64;
          };
      case UNSIGNED -> DataTypes.UINT64;
      case FLOAT -> DataTypes.FLOAT32;
      case DOUBLE -> DataTypes.FLOAT64;
      case TIME ->
          type.typeName().equals("date") ? DataTypes.datetime64(NumpyUnit.DAY, 1) : Micros.TIME;
      case LENGTH -> Micros.LENGTH;
      case TEXT -> DataTypes.STRING;
      case BINARY -> DataTypes.BYTES;
    };
  }

  /** Returns labels as the values of a coordinate. */
  static NdArray coordinate(CellKind kind, List<Object> labels, DataType type) {
    CfDecoding plain = CfDecoding.of(ArrayMetadata.v3(Shape.of(0), type).build());
    NdArray values = ValueBuffer.decoded(kind, labels, plain);
    return values.dataType().equals(type) ? values : values.cast(type);
  }

  /** Returns the settings of a variable. */
  UnaryOperator<NewVariable> settings(String name, DataType type, List<String> its) {
    return variable -> {
      boolean isCoordinate = its.equals(List.of(name));
      NewVariable settings = variable;
      boolean isFloat = type.equals(DataTypes.FLOAT32) || type.equals(DataTypes.FLOAT64);
      String stored = options.text("data-type", name);
      String packed = options.text("packed", name);
      String missing = options.text("missing", name);
      if (stored != null) {
        settings = settings.stored(parse(stored));
      }
      if (packed != null) {
        List<String> parts = TableStoreOptions.names(packed);
        if (parts.size() != 3) {
          throw new IllegalArgumentException(
              "the option packed."
                  + name
                  + " is a data type, a scale and an offset, such as"
                  + " int16,0.01,273.15, not "
                  + packed);
        }
        settings =
            settings.packed(
                parse(parts.get(0)),
                number("packed", parts.get(1)),
                number("packed", parts.get(2)));
      }
      if (missing != null) {
        settings = settings.missing(missing(missing));
      } else if (isFloat && stored == null && packed == null && !isCoordinate) {
        settings = settings.missing(Double.NaN); // NULL is NaN, and is read as NULL
      }
      String attributes = options.text("attributes", name);
      if (attributes != null) {
        settings = settings.attributes(object("attributes." + name, attributes));
      }
      return layout(settings, name, its, isCoordinate);
    };
  }

  private NewVariable layout(
      NewVariable settings, String name, List<String> its, boolean isCoordinate) {
    boolean ownOnly = isCoordinate || !its.equals(dimensions);
    String chunks = text("chunk-shape", name, ownOnly);
    String shards = text("shard-shape", name, ownOnly);
    String codecs = text("codecs", name, ownOnly);
    String fill = options.text("fill-value", name);
    NewVariable result = settings;
    if (chunks != null) {
      result = result.chunkShape(WriteOptions.numbers("chunk-shape", chunks));
    }
    if (shards != null) {
      result = result.shardShape(WriteOptions.numbers("shard-shape", shards));
    }
    if (codecs != null) {
      result = result.array(array -> array.codecs(codecs(codecs)));
    }
    if (fill != null) {
      result = result.array(array -> array.fillValue(value("fill-value." + name, fill).value()));
    }
    return result;
  }

  /**
   * Returns the metadata of a new array of chunks.
   *
   * @param type the name of the data type
   * @param chunk the shape of the largest chunk
   */
  ArrayMetadata array(String name, String type, Shape shape, long[] chunk) {
    String own = options.text("data-type", name);
    String format = options.text("zarr-format");
    String chunks = text("chunk-shape", name, false);
    String shards = text("shard-shape", name, false);
    String codecs = text("codecs", name, false);
    String fill = options.text("fill-value", name);
    String attributes = options.text("attributes", name);
    String dimensions = options.text("dimensions", name);
    ArrayMetadataBuilder array =
        ArrayMetadata.v3(shape, parse(own == null ? type : own))
            .zarrFormat(format == null ? 3 : (int) WriteOptions.numbers("zarr-format", format)[0])
            .chunkShape(chunks == null ? chunk : WriteOptions.numbers("chunk-shape", chunks));
    if (shards != null) {
      array.shardShape(WriteOptions.numbers("shard-shape", shards));
    }
    if (codecs != null) {
      array.codecs(codecs(codecs));
    }
    if (fill != null) {
      array.fillValue(value("fill-value." + name, fill).value());
    }
    if (attributes != null) {
      array.attributes(object("attributes." + name, attributes));
    }
    if (dimensions != null) {
      array.dimensionNames(TableStoreOptions.names(dimensions).toArray(String[]::new));
    }
    return array.build();
  }

  /** Returns the option of a variable, or else that of all, which counts for widest ones. */
  private @Nullable String text(String option, String name, boolean ownOnly) {
    String its = options.text(option, name);
    return its != null || ownOnly ? its : options.text(option);
  }

  private static DataType parse(String text) {
    return DataTypes.parse(
        text.strip().startsWith("{")
            ? NamedConfiguration.parse(value("data-type", text))
            : NamedConfiguration.of(text.strip()));
  }

  private static Number missing(String text) {
    try {
      return Long.valueOf(text.strip());
    } catch (NumberFormatException e) {
      return number("missing", text);
    }
  }

  private static double number(String option, String text) {
    try {
      return Double.parseDouble(text.strip());
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException("the option " + option + " has a number, not " + text, e);
    }
  }

  private static NamedConfiguration[] codecs(String text) {
    return value("codecs", text).elements().stream()
        .map(NamedConfiguration::parse)
        .toArray(NamedConfiguration[]::new);
  }

  /** Returns the attributes that an option has as JSON. */
  static JsonObject object(String option, String text) {
    LocatedJson value =
        JsonDocument.parseAttributes(
            ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8)), Location.UNKNOWN);
    if (value.value() instanceof JsonObject object) {
      return object;
    }
    throw new IllegalArgumentException("the option " + option + " is an object of JSON");
  }

  private static LocatedJson value(String option, String text) {
    try {
      return JsonDocument.parse(
          ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8)), Location.UNKNOWN);
    } catch (MetadataException e) {
      throw new IllegalArgumentException(
          "the option " + option + " is JSON, such as [{\"name\": \"bytes\"}]: " + e.getMessage(),
          e);
    }
  }
}
