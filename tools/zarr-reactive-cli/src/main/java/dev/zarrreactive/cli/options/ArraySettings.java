package dev.zarrreactive.cli.options;

import dev.zarrreactive.array.Shape;
import dev.zarrreactive.cli.console.NearNames;
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
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options for the metadata of a new array. */
public final class ArraySettings {
  private static final Pattern NUMPY = Pattern.compile("[<>|=]?([fiuc])(1|2|4|8|16)");
  private static final Pattern TIME =
      Pattern.compile("(datetime|timedelta)64\\[(Y|M|W|D|h|m|s|ms|us|ns)]");

  private static final List<String> NAMES =
      List.of(
          "bool",
          "int8",
          "int16",
          "int32",
          "int64",
          "uint8",
          "uint16",
          "uint32",
          "uint64",
          "float16",
          "float32",
          "float64",
          "bfloat16",
          "complex64",
          "complex128",
          "string");

  private static final Map<String, String> OTHER_NAMES =
      Map.ofEntries(
          Map.entry("float", "float32 or float64"),
          Map.entry("double", "float64"),
          Map.entry("half", "float16"),
          Map.entry("int", "int32 or int64"),
          Map.entry("long", "int64"),
          Map.entry("short", "int16"),
          Map.entry("byte", "int8 or uint8"),
          Map.entry("boolean", "bool"),
          Map.entry("?", "bool"),
          Map.entry("b1", "bool"),
          Map.entry("|b1", "bool"),
          Map.entry("str", "string"));

  @Option(
      names = "--chunks",
      paramLabel = "SHAPE",
      converter = ChunkWish.Converter.class,
      description = "Of chunks, as 60,-1 or 64MB; chosen without.")
  private @Nullable ChunkWish chunks;

  @Option(
      names = "--shards",
      paramLabel = "SHAPE",
      converter = ChunkWish.Converter.class,
      description = "Of shards to put chunks into, as 600,-1 or auto.")
  private @Nullable ChunkWish shards;

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
      String meant = meant(word);
      String all = e.statement();
      int list = meant.isEmpty() ? -1 : all.indexOf("; available:");
      throw new IllegalArgumentException((list < 0 ? all : all.substring(0, list)) + meant, e);
    }
  }

  /** Returns the name in Zarr v3 of a type in the words of NumPy and of other languages. */
  private static String meant(String word) {
    Matcher numpy = NUMPY.matcher(word.strip());
    if (numpy.matches()) {
      int bits = 8 * Integer.parseInt(numpy.group(2));
      String kind =
          switch (numpy.group(1)) {
            case "f" -> "float";
            case "i" -> "int";
            case "u" -> "uint";
            default -> "complex";
          };
      return " (did you mean " + kind + bits + "?)";
    }
    Matcher time = TIME.matcher(word.strip());
    if (time.matches()) {
      return " (did you mean '{\"name\":\"numpy."
          + time.group(1)
          + "64\",\"configuration\":{\"unit\":\""
          + time.group(2)
          + "\",\"scale_factor\":1}}'?)";
    }
    String other = OTHER_NAMES.get(word.strip().toLowerCase(Locale.ROOT));
    return other == null
        ? NearNames.question(word.strip(), NAMES)
        : " (did you mean " + other + "?)";
  }

  private static ChunkWish fitting(String option, ChunkWish wish, Shape extents) {
    if (!wish.isFor(extents.rank())) {
      throw new IllegalArgumentException(
          option
              + " has "
              + wish.rank().orElse(0)
              + " dimensions, and the array has "
              + extents.rank());
    }
    return wish;
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
      Shape chunk =
          chunks == null ? null : fitting("--chunks", chunks, extents).chunks(extents, dataType);
      if (chunk == null && shards != null) {
        chunk = new ChunkWish(null, 0).chunks(extents, dataType);
      }
      if (chunk != null) {
        array.chunkShape(chunk.toArray());
      }
      if (shards != null && chunk != null) {
        ChunkWish wish = fitting("--shards", shards, extents);
        array.shardShape(wish.shards(extents, chunk, dataType).toArray());
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
