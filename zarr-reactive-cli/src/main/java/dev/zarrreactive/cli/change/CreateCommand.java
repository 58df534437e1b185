package dev.zarrreactive.cli.change;

import dev.zarrreactive.Zarr;
import dev.zarrreactive.ZarrHierarchy;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.cli.command.NodeOperation;
import dev.zarrreactive.cli.console.CommandConsole;
import dev.zarrreactive.cli.location.CopyPlace;
import dev.zarrreactive.cli.location.CopyTarget;
import dev.zarrreactive.cli.options.CodecsConverter;
import dev.zarrreactive.cli.options.ExtentsConverter;
import dev.zarrreactive.cli.options.JsonWord;
import dev.zarrreactive.cli.options.ShapeConverter;
import dev.zarrreactive.datatype.DataType;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.error.ZarrException;
import dev.zarrreactive.extension.NamedConfiguration;
import dev.zarrreactive.json.JsonObject;
import dev.zarrreactive.json.LocatedJson;
import dev.zarrreactive.metadata.ArrayMetadata;
import dev.zarrreactive.metadata.ArrayMetadataBuilder;
import dev.zarrreactive.metadata.GroupMetadata;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import reactor.core.publisher.Mono;

/** {@code zarr create}. */
@Command(
    name = "create",
    headerHeading = "Example: zarr create new.zarr/t --shape 365,180 --dtype float32%n",
    description = "Creates an empty array, or without --shape a group.")
public final class CreateCommand extends NodeOperation {
  @Option(
      names = "--shape",
      paramLabel = "SHAPE",
      converter = ExtentsConverter.class,
      description = "The extents of the array, as 365,180.")
  private @Nullable Shape shape;

  @Option(
      names = "--dtype",
      paramLabel = "TYPE",
      description = "The data type, by its name in Zarr v3, or as JSON.")
  private @Nullable String type;

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
      split = ",",
      description = "The names of the dimensions, as time,lat.")
  private List<String> dimensions = List.of();

  @Option(names = "--format", paramLabel = "N", description = "The version of Zarr: 2 or 3.")
  private int format = 3;

  @Override
  protected Mono<Void> execute(CommandConsole console) {
    if (format != 2 && format != 3) {
      throw wrong("--format is 2 or 3");
    }
    if (shape == null && (type != null || chunks != null || shards != null || fill != null)) {
      throw wrong("An array needs --shape; a group has none of its options");
    }
    if (shape != null && type == null) {
      throw wrong("An array needs --dtype, such as float32");
    }
    if (CopyTarget.isArchive(path())) {
      throw wrong("A zip archive is written at once; create a directory, and copy it");
    }
    ArrayMetadata array = shape == null ? null : array(shape);
    CopyTarget target =
        CopyTarget.of(path(), command().storeSettings(spec()).checkedFor(path()).of(path()), false);
    return target.use(
        place ->
            place
                .consolidatedAbove()
                .flatMap(
                    groups ->
                        create(place, array)
                            .publishOn(console.thread())
                            .doOnNext(
                                text -> {
                                  console.out().println(text);
                                  reportRemoved(groups, console);
                                })
                            .then()));
  }

  private Mono<String> create(CopyPlace place, @Nullable ArrayMetadata array) {
    ZarrHierarchy hierarchy = Zarr.hierarchy(place.store());
    return array == null
        ? hierarchy
            .createGroup(place.node(), GroupMetadata.of(format, JsonObject.EMPTY))
            .thenReturn("Created a group.")
        : hierarchy
            .createArray(place.node(), array)
            .map(
                made ->
                    "Created an array of "
                        + made.dataType()
                        + " "
                        + made.shape()
                        + " in chunks of "
                        + made.chunkGrid().largestChunkShape()
                        + ".");
  }

  private ArrayMetadata array(Shape extents) {
    try {
      DataType dataType =
          DataTypes.parse(
              NamedConfiguration.parse(LocatedJson.of(JsonWord.of(String.valueOf(type)))));
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
        array.attributes(JsonObject.EMPTY.with("_ARRAY_DIMENSIONS", JsonWord.texts(dimensions)));
      }
      return array.build();
    } catch (ZarrException e) {
      throw wrong(e.statement());
    } catch (IllegalArgumentException e) {
      throw wrong(String.valueOf(e.getMessage()));
    }
  }

  private ParameterException wrong(String message) {
    return new ParameterException(spec().commandLine(), message);
  }
}
