package dev.zarrreactive.cli;

import dev.zarrreactive.Zarr;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.cli.console.CommandConsole;
import dev.zarrreactive.cli.console.CommandFailure;
import dev.zarrreactive.cli.copy.CopySummary;
import dev.zarrreactive.cli.copy.ReadBytes;
import dev.zarrreactive.cli.location.CopyPlace;
import dev.zarrreactive.cli.location.CopyTarget;
import dev.zarrreactive.cli.location.LocationText;
import dev.zarrreactive.cli.location.NodeLocation;
import dev.zarrreactive.cli.location.NodePlace;
import dev.zarrreactive.cli.options.CodecsConverter;
import dev.zarrreactive.cli.options.NamedValue;
import dev.zarrreactive.cli.options.ShapeConverter;
import dev.zarrreactive.cli.options.StoreSettings;
import dev.zarrreactive.copy.IfExists;
import dev.zarrreactive.copy.ZarrCopy;
import dev.zarrreactive.error.NodeExistsException;
import dev.zarrreactive.error.UnsupportedFeatureException;
import dev.zarrreactive.error.ZarrException;
import dev.zarrreactive.store.StoreOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;
import picocli.CommandLine.Spec;
import reactor.core.publisher.Mono;

/** {@code zarr copy}. */
@Command(
    name = "copy",
    headerHeading = "Example: zarr copy earth.zarr earth.zip --chunks 60,60 --codecs zstd:9%n",
    description = "Copies an array, or a group with everything below it.")
final class CopyCommand extends Operation {
  @ParentCommand private ZarrCommand command;
  @Spec private CommandSpec spec;

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
      converter = ShapeConverter.class,
      description = "The chunk shape, as 60,60, also inside of shards.")
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

  @Option(names = "--bits", description = "--format keeps fill values and attributes bitwise.")
  private boolean bits;

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
      paramLabel = "NAME=VALUE",
      converter = NamedValue.OfSetting.class,
      description = "As --store-option, for SRC only.")
  private List<NamedValue> sourceOptions = new ArrayList<>();

  @Option(
      names = "--destination-option",
      paramLabel = "NAME=VALUE",
      converter = NamedValue.OfSetting.class,
      description = "As --store-option, for DST only.")
  private List<NamedValue> destinationOptions = new ArrayList<>();

  @Option(names = "--json", description = "Print a summary as JSON on standard output.")
  private boolean json;

  @Option(
      names = {"-q", "--quiet"},
      description = "Print neither summary nor progress.")
  private boolean quiet;

  @Override
  ZarrCommand command() {
    return command;
  }

  @Override
  String subject() {
    return LocationText.shown(source) + " to " + LocationText.shown(destination);
  }

  @Override
  String adviceAfterInterrupt() {
    return CopyTarget.isArchive(destination)
        ? "the archive was not written"
        : LocationText.shown(destination)
            + " is an unfinished copy; the same command with --resume continues it, with"
            + " --overwrite it starts again";
  }

  @Override
  Mono<Void> execute(CommandConsole console) {
    checkUsage();
    StoreSettings settings = command.storeSettings(spec).checkedFor(source, destination);
    StoreOptions ofSource = settings.of(source, "--source-option", sourceOptions);
    StoreOptions ofTarget = settings.of(destination, "--destination-option", destinationOptions);
    CopyTarget target = CopyTarget.of(destination, ofTarget, overwrite);
    target.checkApart(source, ofSource);
    ReadBytes read = new ReadBytes();
    NodeLocation from = location(source, ofSource).observedBy(read);
    CopySummary.Ending ending =
        json
            ? CopySummary.Ending.JSON
            : quiet ? CopySummary.Ending.NOTHING : CopySummary.Ending.SENTENCE;
    CopySummary summary = new CopySummary(read, ending);
    long start = System.nanoTime();
    return from.in(
            options(),
            place ->
                target.use(
                    to ->
                        to.consolidatedAbove()
                            .flatMap(
                                outdated -> {
                                  summary.setPlace(to.node(), to.hierarchy(), outdated);
                                  return summary.of(copy(place, to).run(), console);
                                })))
        .onErrorMap(ZarrException.class, this::advised)
        .flatMap(end -> summary.finish(end, Duration.ofNanos(System.nanoTime() - start), console));
  }

  /** Adds the options that help, which the library does not know. */
  private Throwable advised(ZarrException error) {
    String advice = "";
    if (error instanceof NodeExistsException && !resume) {
      advice = "; --resume continues an unfinished copy, --overwrite replaces a node";
    } else if (error instanceof UnsupportedFeatureException && shards != null && format == null) {
      advice = "; --format 3 has shards";
    }
    return advice.isEmpty() ? error : new CommandFailure(error.getMessage() + advice, error);
  }

  private void checkUsage() {
    if (format != null && format != 2 && format != 3) {
      throw new ParameterException(spec.commandLine(), "--format is 2 or 3");
    }
    if (bits && format == null) {
      throw new ParameterException(spec.commandLine(), "--bits needs --format");
    }
    if (resume && overwrite) {
      throw new ParameterException(
          spec.commandLine(), "--resume and --overwrite cannot both be wanted");
    }
    if (resume && CopyTarget.isArchive(destination)) {
      throw new ParameterException(
          spec.commandLine(), "A zip archive is written at once: --resume is for directories");
    }
  }

  private ZarrCopy copy(NodePlace place, CopyPlace to) {
    ZarrCopy copy =
        ZarrCopy.of(place.hierarchy(), Zarr.hierarchy(to.store()))
            .from(place.node())
            .to(to.node())
            .xarrayConventions(!bits)
            .allFiles(allFiles)
            .ifExists(resume ? IfExists.RESUME : overwrite ? IfExists.OVERWRITE : IfExists.REFUSE);
    copy = consolidate == null ? copy : copy.consolidated(consolidate);
    copy = format == null ? copy : copy.zarrFormat(format);
    copy = chunks == null ? copy : copy.chunkShape(chunks.toArray());
    copy = shards == null ? copy : copy.shardShape(shards.toArray());
    return codecs == null ? copy : copy.codecs(codecs.toArray());
  }
}
