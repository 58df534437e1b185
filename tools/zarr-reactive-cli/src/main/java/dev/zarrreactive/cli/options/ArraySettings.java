package dev.zarrreactive.cli.options;

import dev.zarrreactive.array.Shape;
import dev.zarrreactive.datatype.DataType;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.error.ZarrException;
import dev.zarrreactive.extension.NamedConfiguration;
import dev.zarrreactive.json.JsonObject;
import dev.zarrreactive.json.LocatedJson;
import dev.zarrreactive.metadata.ArrayMetadata;
import dev.zarrreactive.metadata.ArrayMetadataBuilder;
import dev.zarrreactive.metadata.DimensionNames;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options for the metadata of a new array. */
public final class ArraySettings {
  @Option(
      names = "--chunks",
      paramLabel = "SHAPE",
      converter = ShapeConverter.class,
      description = "The chunk shape; without, one is chosen.")
  private @Nullable Shape chunks;

  @Option(
      names = "--shards",
      paramLabel = "SHAPE",
      converter = ShapeConverter.class,
      description = "The shape of the shards to put chunks into.")
  private @Nullable Shape shards;

  @Option(
      names = "--codecs",
      paramLabel = "CODECS",
      converter = CodecsConverter.class,
      description = "none, zstd, gzip, blosc, crc32c (zstd:9), or JSON.")
  private CodecsConverter.@Nullable Choice codecs;

  @Option(names = "--fill", paramLabel = "VALUE", description = "The fill value, as in zarr.json.")
  private @Nullable String fill;

  @Option(
      names = "--dimensions",
      paramLabel = "NAMES",
      hideParamSyntax = true,
      split = ",",
      description = "The names of the dimensions, as time,lat.")
  private List<String> dimensions = List.of();

  @Option(names = "--format", paramLabel = "N", description = "The version of Zarr: 2 or 3.")
  private int format = 3;

  /** Returns the version of Zarr, which may be one that does not exist. */
  public int format() {
    return format;
  }

  /** Returns whether any option is given, the format apart. */
  public boolean areGiven() {
    return areOfArray() || codecs != null || !dimensions.isEmpty();
  }

  /** Returns whether an option is given that only arrays have. */
  public boolean areOfArray() {
    return chunks != null || shards != null || fill != null;
  }

  /**
   * Returns the data type of a word of the command line.
   *
   * @throws IllegalArgumentException for an unknown one
   */
  public static DataType dataType(String word) {
    try {
      return DataTypes.parse(NamedConfiguration.parse(LocatedJson.of(JsonWord.of(word))));
    } catch (ZarrException e) {
      throw new IllegalArgumentException(e.statement(), e);
    }
  }

  /**
   * Returns the metadata of an array.
   *
   * @throws IllegalArgumentException for options that do not fit
   */
  public ArrayMetadata metadata(Shape extents, DataType dataType) {
    if (format != 2 && format != 3) {
      throw new IllegalArgumentException("--format is 2 or 3");
    }
    try {
      ArrayMetadataBuilder array =
          format == 2 ? ArrayMetadata.v2(extents, dataType) : ArrayMetadata.v3(extents, dataType);
      if (chunks != null) {
        array.chunkShape(chunks.toArray());
      }
      if (shards != null) {
        array.shardShape(shards.toArray());
      }
      if (codecs != null) {
        array.codecs(codecs.toArray());
      }
      if (fill != null) {
        array.fillValue(JsonWord.of(fill));
      }
      if (!dimensions.isEmpty() && format == 3) {
        array.dimensionNames(dimensions.toArray(String[]::new));
      } else if (!dimensions.isEmpty()) {
        array.attributes(
            JsonObject.EMPTY.with(DimensionNames.ATTRIBUTE, JsonWord.texts(dimensions)));
      }
      return array.build();
    } catch (ZarrException e) {
      throw new IllegalArgumentException(e.statement(), e);
    }
  }
}
