package dev.zarrreactive.cli.copy;

import dev.zarrreactive.Zarr;
import dev.zarrreactive.ZarrArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.cli.command.Subcommand;
import dev.zarrreactive.cli.console.CommandConsole;
import dev.zarrreactive.cli.console.CommandFailure;
import dev.zarrreactive.cli.location.CommitForecast;
import dev.zarrreactive.cli.location.CopyPlace;
import dev.zarrreactive.cli.location.CopyTarget;
import dev.zarrreactive.cli.location.LocationText;
import dev.zarrreactive.cli.location.NodeLocation;
import dev.zarrreactive.cli.location.NodePlace;
import dev.zarrreactive.cli.options.ChunkWish;
import dev.zarrreactive.cli.options.CodecsConverter;
import dev.zarrreactive.cli.options.CommitOption;
import dev.zarrreactive.cli.options.ConcurrencyOption;
import dev.zarrreactive.cli.options.LabelOption;
import dev.zarrreactive.cli.options.NamedValue;
import dev.zarrreactive.cli.options.NodeGlobs;
import dev.zarrreactive.cli.options.SelectOption;
import dev.zarrreactive.cli.options.StoreSettings;
import dev.zarrreactive.cli.stream.ReadBytes;
import dev.zarrreactive.copy.CopyOutline;
import dev.zarrreactive.copy.CopyProgress;
import dev.zarrreactive.copy.IfExists;
import dev.zarrreactive.copy.ZarrCopy;
import dev.zarrreactive.error.NodeExistsException;
import dev.zarrreactive.error.UnsupportedFeatureException;
import dev.zarrreactive.error.ZarrException;
import dev.zarrreactive.metadata.ArrayMetadata;
import dev.zarrreactive.metadata.NodePath;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.store.StoreOptions;
import java.math.BigInteger;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** {@code zarr copy}. */
@Command(
    name = "copy",
    headerHeading =
        "Examples: zarr copy earth.zarr earth.zip --chunks 60,60 --codecs zstd:9%n"
            + "          zarr copy s3://bucket/era5.zarr january.zarr --sel time=2024-01%n"
            + "          zarr copy year.zarr year3.zarr --format 3 --shards auto%n",
    description = "Copies an array, or a group with everything below it.")
public final class CopyCommand extends Subcommand {
  @Parameters(
      index = "0",
      paramLabel = "SRC",
      description = "A directory or zip archive, the URL of one, or a path into one.")
  private String source;

  @Parameters(
      index = "1",
      paramLabel = "DST",
      description = "A new directory, zip archive or URL; a path into a hierarchy.")
  private String destination;

  @Option(names = "--format", paramLabel = "N", description = "The version of Zarr: 2 or 3.")
  private @Nullable Integer format;

  @Option(
      names = "--chunks",
      paramLabel = "SHAPE",
      converter = ChunkWish.Converter.class,
      description = "As 60,-1, 64MB or auto; one for each rank.")
  private List<ChunkWish> chunks = new ArrayList<>();

  @Option(
      names = "--shards",
      paramLabel = "SHAPE",
      converter = ChunkWish.Converter.class,
      description = "Put chunks into shards of such a shape; as --chunks.")
  private List<ChunkWish> shards = new ArrayList<>();

  @Option(
      names = "--unshard",
      hidden = true, // named by the error of a copy of shards to Zarr v2
      description = "Make inner chunks of shards the chunks.")
  private boolean unshard;

  @Option(
      names = "--codecs",
      paramLabel = "CODECS",
      converter = CodecsConverter.class,
      description = "none, zstd, gzip, blosc, crc32c (zstd:9), or JSON.")
  private CodecsConverter.@Nullable Choice codecs;

  @Option(
      names = "--bits",
      hidden = true, // named by the changes of metadata in the summary
      description = "--format keeps fill values and attributes bitwise.")
  private boolean bits;

  @Mixin private final SelectOption select = new SelectOption();
  @Mixin private final LabelOption labels = new LabelOption();

  @Option(
      names = "--variables",
      paramLabel = "NAMES",
      split = ",",
      hideParamSyntax = true,
      description = "Only these, as t2m,sst, and their coordinates.")
  private List<String> variables = List.of();

  @Mixin private final ConcurrencyOption concurrency = new ConcurrencyOption();
  @Mixin private final NodeGlobs globs = new NodeGlobs();

  @Option(names = "--dry-run", description = "Only say what would be copied.")
  private boolean dryRun;

  /** Whether the destination has nodes that are marked as unfinished. */
  private volatile boolean isBegun;

  @Option(
      names = "--all-files",
      description = "Copy the files below SRC too that belong to no node.")
  private boolean allFiles;

  @Option(names = "--resume", description = "Continue a copy that was interrupted.")
  private boolean resume;

  @Option(names = "--overwrite", description = "Erase the array or group at DST first.")
  private boolean overwrite;

  @Option(
      names = "--consolidate",
      negatable = true,
      description = "Consolidate the metadata, or not; as SRC has them.")
  private @Nullable Boolean consolidate;

  @Option(
      names = "--source-option",
      hidden = true, // explained in the page on urls, or by the summary
      paramLabel = "NAME=VALUE",
      converter = NamedValue.OfSetting.class,
      description = "--store-option for SRC only.")
  private List<NamedValue> sourceOptions = new ArrayList<>();

  @Option(
      names = "--destination-option",
      hidden = true, // explained in the page on urls, or by the summary
      paramLabel = "NAME=VALUE",
      converter = NamedValue.OfSetting.class,
      description = "--store-option for DST only.")
  private List<NamedValue> destinationOptions = new ArrayList<>();

  @Option(names = "--json", description = "Print a summary as JSON on standard output.")
  private boolean json;

  @Option(
      names = "--message",
      hidden = true, // explained by the error of a destination that needs it
      paramLabel = "TEXT",
      description = "Commit to a branch of an Icechunk repository.")
  private @Nullable String message;

  @Override
  protected String subject() {
    return LocationText.shown(source) + " to " + LocationText.shown(destination);
  }

  @Override
  protected String adviceAfterInterrupt() {
    return CopyTarget.isArchive(destination) ? "the archive was not written" : unfinished();
  }

  private String unfinished() {
    return LocationText.shown(destination)
        + " is an unfinished copy; the same command with --resume continues it, with"
        + " --overwrite it starts again";
  }

  @Override
  protected Mono<Void> execute(CommandConsole console) {
    checkUsage();
    StoreSettings settings = command().storeSettings(spec()).checkedFor(source, destination);
    StoreOptions ofSource = settings.of(source, "--source-option", sourceOptions);
    StoreOptions ofTarget = settings.of(destination, "--destination-option", destinationOptions);
    CopyTarget target =
        CopyTarget.of(
                destination, CommitOption.of(message, ofTarget, destination, spec()), overwrite)
            .telling(this::note);
    target.checkApart(source, ofSource);
    if (dryRun) {
      return from(ofSource)
          .in(
              concurrency.of(options()),
              place ->
                  CopiedPart.of(place, select, labels, variables)
                      .publishOn(console.thread()) // the target looks at files
                      .flatMap(
                          part ->
                              target.lookAt(
                                  isArray(place),
                                  to ->
                                      copy(place, part, to)
                                          .outline()
                                          .flatMap(outline -> forecast(to.store(), outline))))
                      .publishOn(console.thread())
                      .doOnNext(forecast -> forecast.print(console))
                      .then())
          .onErrorMap(ZarrException.class, this::advised);
    }
    ReadBytes read = new ReadBytes();
    NodeLocation from = from(ofSource).observedBy(read);
    CopySummary.Ending ending =
        json
            ? CopySummary.Ending.JSON
            : console.isQuiet() ? CopySummary.Ending.NOTHING : CopySummary.Ending.SENTENCE;
    CopySummary summary = new CopySummary(read, ending);
    long start = System.nanoTime();
    return from.in(
            concurrency.of(options()),
            place ->
                CopiedPart.of(place, select, labels, variables)
                    .publishOn(console.thread()) // the target looks at files
                    .flatMap(
                        part ->
                            target.use(
                                isArray(place),
                                to -> run(copy(place, part, to), to, summary, console))))
        .onErrorMap(ZarrException.class, this::advised)
        .flatMap(end -> summary.finish(end, Duration.ofNanos(System.nanoTime() - start), console));
  }

  /** Emits what would be copied, with the commit where it would be one. */
  private Mono<CopyForecast> forecast(Store store, CopyOutline outline) {
    if (!CommitForecast.isOf(store)) {
      return Mono.just(new CopyForecast(outline, json, Optional.empty()));
    }
    List<CopyOutline.Node> nodes =
        outline.nodes().stream().sorted(Comparator.comparing(CopyOutline.Node::path)).toList();
    Map<NodePath, BigInteger> chunks = new TreeMap<>();
    for (CopyOutline.Node node : nodes) {
      chunks.put(node.path(), BigInteger.valueOf(node.chunks()));
    }
    return Flux.fromIterable(nodes)
        .index()
        .concatMap(
            node ->
                CommitForecast.note(
                    store,
                    node.getT2().path(),
                    node.getT2().metadata(),
                    overwrite && node.getT1() == 0),
            0)
        .then(CommitForecast.of(store, chunks))
        .map(commit -> new CopyForecast(outline, json, Optional.of(commit)));
  }

  private Mono<CopyProgress> run(
      ZarrCopy copy, CopyPlace to, CopySummary summary, CommandConsole console) {
    return to.consolidatedGroupsAbove()
        .flatMap(
            outdated -> {
              summary.setPlace(to, outdated);
              return summary.of(copy.run().doOnNext(step -> isBegun = true), console);
            });
  }

  /** Returns the location of SRC, whose coordinates may be beside it. */
  private NodeLocation from(StoreOptions ofSource) {
    return labels.isGiven()
        ? watched(source, NodeLocation.inHierarchy(source, command().drafts(), ofSource))
        : location(source, ofSource);
  }

  private static Mono<Boolean> isArray(NodePlace place) {
    return place.open().map(node -> node instanceof ZarrArray);
  }

  /** Adds the options that help, which the library does not know. */
  private Throwable advised(ZarrException error) {
    String advice = "";
    if (isBegun && !CopyTarget.isArchive(destination) && !CommandFailure.isOfMemory(error)) {
      advice = "; " + unfinished();
    } else if (error instanceof NodeExistsException && !resume) {
      advice = "; --resume continues an unfinished copy, --overwrite replaces a node";
    } else if (error instanceof UnsupportedFeatureException
        && !shards.isEmpty()
        && format == null) {
      advice = "; --format 3 has shards";
    } else if (error instanceof UnsupportedFeatureException
        && Integer.valueOf(2).equals(format)
        && error.getMessage().contains("shard")) {
      advice = "; --unshard makes the inner chunks the chunks";
    }
    return advice.isEmpty() ? error : new CommandFailure(error.getMessage() + advice, error);
  }

  private void checkUsage() {
    if (format != null && format != 2 && format != 3) {
      throw new ParameterException(spec().commandLine(), "--format is 2 or 3");
    }
    if (bits && format == null) {
      throw new ParameterException(spec().commandLine(), "--bits needs --format");
    }
    if (!variables.isEmpty() && globs.included().length > 0) {
      throw new ParameterException(
          spec().commandLine(), "--variables and --include exclude each other");
    }
    checkOneOfEachRank("--chunks", chunks);
    checkOneOfEachRank("--shards", shards);
    if (resume && overwrite) {
      throw new ParameterException(
          spec().commandLine(), "--resume and --overwrite cannot both be wanted");
    }
    if (resume && CopyTarget.isArchive(destination)) {
      throw new ParameterException(
          spec().commandLine(), "A zip archive is written at once: --resume is for directories");
    }
  }

  private void checkOneOfEachRank(String option, List<ChunkWish> shapes) {
    if (shapes.stream().map(ChunkWish::rank).distinct().count() < shapes.size()) {
      throw new ParameterException(
          spec().commandLine(), option + " is given twice for one number of dimensions");
    }
  }

  /** Returns the wish for the rank of an array, else the one for all. */
  private static Optional<ChunkWish> wish(List<ChunkWish> wishes, ArrayMetadata array) {
    int rank = array.shape().rank();
    return wishes.stream()
        .filter(wish -> wish.isFor(rank))
        .max(Comparator.comparing(wish -> wish.rank().isPresent()));
  }

  private ZarrCopy copy(NodePlace place, CopiedPart part, CopyPlace to) {
    ZarrCopy copy =
        ZarrCopy.of(
                place.hierarchy(), Zarr.hierarchy(to.store(), concurrency.of(optionsOfTarget())))
            .from(place.node())
            .to(to.node())
            .xarrayConventions(!bits)
            .allFiles(allFiles)
            .include(globs.included())
            .exclude(globs.excluded())
            .ifExists(resume ? IfExists.RESUME : overwrite ? IfExists.OVERWRITE : IfExists.REFUSE);
    copy = consolidate == null ? copy : copy.consolidated(consolidate);
    copy = format == null ? copy : copy.zarrFormat(format);
    for (ChunkWish wish : chunks) {
      Shape fixed = wish.fixed();
      copy = fixed == null ? copy : copy.chunkShape(fixed.toArray());
    }
    for (ChunkWish wish : shards) {
      Shape fixed = wish.fixed();
      copy = fixed == null ? copy : copy.shardShape(fixed.toArray());
    }
    if (!chunks.isEmpty()) {
      copy =
          copy.chunkShape(
              array ->
                  wish(chunks, array).map(wish -> wish.chunks(array.shape(), array.dataType())));
    }
    if (!shards.isEmpty()) {
      copy =
          copy.shardShape(
              (array, chunk) ->
                  wish(shards, array)
                      .map(wish -> wish.shards(array.shape(), chunk, array.dataType())));
    }
    copy = unshard ? copy.withoutShards() : copy;
    copy = part.of(copy);
    return codecs == null ? copy : copy.codecs(codecs.toArray());
  }
}
