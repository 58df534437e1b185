package dev.zarrreactive.cli.change;

import dev.zarrreactive.Zarr;
import dev.zarrreactive.ZarrHierarchy;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.chunkgrid.ChunkGrid;
import dev.zarrreactive.cli.command.NodeOperation;
import dev.zarrreactive.cli.console.CommandConsole;
import dev.zarrreactive.cli.console.Quantities;
import dev.zarrreactive.cli.input.MetadataFile;
import dev.zarrreactive.cli.location.CommitForecast;
import dev.zarrreactive.cli.location.CopyPlace;
import dev.zarrreactive.cli.location.CopyTarget;
import dev.zarrreactive.cli.options.ArraySettings;
import dev.zarrreactive.cli.options.CommitOption;
import dev.zarrreactive.cli.options.ExtentsConverter;
import dev.zarrreactive.internal.location.Pipeline;
import dev.zarrreactive.internal.metadata.ShardingMetadata;
import dev.zarrreactive.json.JsonObject;
import dev.zarrreactive.metadata.ArrayMetadata;
import dev.zarrreactive.metadata.GroupMetadata;
import dev.zarrreactive.metadata.NodeMetadata;
import java.math.BigInteger;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import reactor.core.publisher.Mono;

/** {@code zarr create}. */
@Command(
    name = "create",
    headerHeading =
        "Examples: zarr create new.zarr/t --shape 365,180 --dtype float32%n"
            + "          zarr create new.zarr/g%n",
    description = "Creates an empty array, or without --shape a group.")
public final class CreateCommand extends NodeOperation {
  /** The chunks from which on files are too many for most file systems and clouds. */
  private static final BigInteger MANY_CHUNKS = BigInteger.valueOf(100_000);

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
      names = "--metadata",
      paramLabel = "FILE",
      description = "A document as info --json prints it; - is standard input.")
  private @Nullable String document;

  @Mixin private final ArraySettings settings = new ArraySettings();

  @Option(names = "--dry-run", description = "Only say what would be created.")
  private boolean dryRun;

  @Mixin private final CommitOption commit = new CommitOption();

  @Override
  protected String adviceAfterInterrupt() {
    return "the groups above and the new node may be stored; zarr tree shows them";
  }

  @Override
  protected CommitOption commit() {
    return commit;
  }

  @Override
  protected Mono<Void> execute(CommandConsole console) {
    int format = settings.format();
    if (format != 2 && format != 3) {
      throw wrong("--format is 2 or 3");
    }
    if (shape == null && (type != null || settings.areOfArray())) {
      throw wrong("An array needs --shape; a group has none of its options");
    }
    if (shape != null && type == null) {
      throw wrong("An array needs --dtype, such as float32");
    }
    if (CopyTarget.isArchive(path())) {
      throw wrong("A zip archive is written at once; create a directory, and copy it");
    }
    if (document != null && (shape != null || settings.areGiven())) {
      throw wrong("--metadata has all of the metadata; --shape and its like are for a new array");
    }
    NodeMetadata given = shape == null ? GroupMetadata.of(format, JsonObject.EMPTY) : array(shape);
    return document == null
        ? create(given, console)
        : MetadataFile.read(document, console).flatMap(found -> create(found, console));
  }

  private Mono<Void> create(NodeMetadata node, CommandConsole console) {
    if (dryRun) {
      return Mono.<Void>fromRunnable(
              () -> console.out().println("Would create " + described(node) + "."))
          .subscribeOn(console.thread())
          .then(Mono.defer(() -> forecast(node, console)));
    }
    return target()
        .use(
            Mono.just(node instanceof ArrayMetadata),
            place ->
                place
                    .consolidatedGroupsAbove()
                    .flatMap(
                        groups ->
                            create(place, node)
                                .publishOn(console.thread())
                                .doOnNext(
                                    text -> {
                                      console.note(text);
                                      adviceOn(node).ifPresent(console::remark);
                                      reportRemoved(groups, console);
                                    })
                                .then()));
  }

  /** Says which commit the new node would be, where it would be one. */
  private Mono<Void> forecast(NodeMetadata node, CommandConsole console) {
    return Pipeline.isOne(path())
        ? target()
            .use(
                Mono.just(node instanceof ArrayMetadata),
                place ->
                    create(place, node)
                        .then(CommitForecast.print(place.store(), Map.of(), console)))
        : Mono.empty();
  }

  private CopyTarget target() {
    return CopyTarget.of(
            path(),
            commit.of(
                command().storeSettings(spec()).checkedFor(path()).of(path()), path(), spec()),
            false)
        .telling(this::note);
  }

  private static Mono<String> create(CopyPlace place, NodeMetadata node) {
    ZarrHierarchy hierarchy = Zarr.hierarchy(place.store());
    String made = place.made("created", described(node));
    return node instanceof ArrayMetadata array
        ? hierarchy.createArray(place.node(), array).thenReturn(made)
        : hierarchy.createGroup(place.node(), (GroupMetadata) node).thenReturn(made);
  }

  /** Advises shards where an array has very many chunks without them. */
  private static Optional<String> adviceOn(NodeMetadata node) {
    if (!(node instanceof ArrayMetadata array) || array.zarrFormat() == 2) {
      return Optional.empty();
    }
    ChunkGrid grid = ChunkGrid.of(array.chunkGrid(), array.shape());
    BigInteger chunks = grid.gridShape().elementCount();
    boolean isSharded =
        array.codecs().stream().anyMatch(codec -> codec.name().equals(ShardingMetadata.NAME));
    return isSharded || chunks.compareTo(MANY_CHUNKS) < 0
        ? Optional.empty()
        : Optional.of(
            Quantities.plural(chunks, "chunk")
                + " would be as many files; --shards auto puts many of them into one");
  }

  private static String described(NodeMetadata node) {
    return node instanceof ArrayMetadata array
        ? "an array of "
            + array.dataType()
            + " "
            + array.shape()
            + " in chunks of "
            + ChunkGrid.of(array.chunkGrid(), array.shape()).largestChunkShape()
        : "a group";
  }

  private ArrayMetadata array(Shape extents) {
    try {
      return settings.metadata(extents, ArraySettings.dataType(String.valueOf(type)));
    } catch (IllegalArgumentException e) {
      throw wrong(String.valueOf(e.getMessage()));
    }
  }

  private ParameterException wrong(String message) {
    return new ParameterException(spec().commandLine(), message);
  }
}
