package dev.zarrreactive.cli;

import dev.zarrreactive.Zarr;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.cli.console.CommandConsole;
import dev.zarrreactive.cli.copy.CopyReport;
import dev.zarrreactive.cli.copy.ReadBytes;
import dev.zarrreactive.copy.IfExists;
import dev.zarrreactive.copy.ZarrCopy;
import dev.zarrreactive.store.Store;
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
    description = {
      "Copies an array or a group with everything below it: to another place, format,"
          + " chunk grid or codecs. What is not said stays as it is."
    })
final class CopyCommand extends Operation {
  @ParentCommand private ZarrCommand command;
  @Spec private CommandSpec spec;

  @Parameters(
      index = "0",
      paramLabel = "SRC",
      description = {
        "The array or group: a directory or a zip archive, the URL of one, or a path into one."
      })
  private String source;

  @Parameters(
      index = "1",
      paramLabel = "DST",
      description = {
        "A new directory, a new zip archive where the name ends with .zip, or a URL that can be"
            + " written to."
      })
  private String destination;

  @Option(names = "--format", paramLabel = "N", description = "The version of Zarr: 2 or 3.")
  private @Nullable Integer format;

  @Option(
      names = "--chunks",
      paramLabel = "SHAPE",
      converter = ShapeConverter.class,
      description = {
        "The shape of the chunks, such as 100,100; where there are --shards, of those in them.",
        "Arrays with another number of dimensions keep theirs."
      })
  private @Nullable Shape chunks;

  @Option(
      names = "--shards",
      paramLabel = "SHAPE",
      converter = ShapeConverter.class,
      description = "The shape of shards to put the chunks into.")
  private @Nullable Shape shards;

  @Option(
      names = "--codecs",
      paramLabel = "CODECS",
      converter = CodecsConverter.class,
      description = {
        "What compresses the chunks: zstd, gzip, crc32c, a level as in zstd:9, several as in"
            + " zstd,crc32c; none; or a JSON array as in zarr.json, of compressors or of a whole"
            + " chain."
      })
  private CodecsConverter.@Nullable Choice codecs;

  @Option(names = "--resume", description = "Go on with a copy that was broken off.")
  private boolean resume;

  @Option(names = "--overwrite", description = "Erase the array or group at DST first.")
  private boolean overwrite;

  @Option(
      names = "--consolidate",
      negatable = true,
      description = "Consolidate the metadata of the copy, or do not; without, as SRC has them.")
  private @Nullable Boolean consolidate;

  @Option(
      names = "--source-option",
      paramLabel = "NAME=VALUE",
      converter = NamedValue.OfSetting.class,
      description = "As --store-option, for SRC alone.")
  private List<NamedValue> sourceOptions = new ArrayList<>();

  @Option(
      names = "--destination-option",
      paramLabel = "NAME=VALUE",
      converter = NamedValue.OfSetting.class,
      description = "As --store-option, for DST alone.")
  private List<NamedValue> destinationOptions = new ArrayList<>();

  @Option(names = "--json", description = "Say as JSON what was copied.")
  private boolean json;

  @Option(
      names = {"-q", "--quiet"},
      description = "Say nothing.")
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
  Mono<Void> execute(CommandConsole console) {
    checkUsage();
    StoreSettings settings = command.storeSettings(spec).checkedFor(source, destination);
    StoreOptions ofSource = settings.of(source, "--source-option", sourceOptions);
    StoreOptions ofTarget = settings.of(destination, "--destination-option", destinationOptions);
    CopyTarget target = CopyTarget.of(destination, ofTarget, overwrite);
    target.checkApart(source);
    ReadBytes read = new ReadBytes();
    NodeLocation from = location(source, ofSource).observedBy(read);
    CopyReport.Ending ending =
        json
            ? CopyReport.Ending.JSON
            : quiet ? CopyReport.Ending.NOTHING : CopyReport.Ending.SENTENCE;
    CopyReport report = new CopyReport(read, ending);
    long start = System.nanoTime();
    return from.in(
            options(), place -> target.use(store -> report.of(copy(place, store).run(), console)))
        .flatMap(end -> report.finish(end, Duration.ofNanos(System.nanoTime() - start), console));
  }

  private void checkUsage() {
    if (format != null && format != 2 && format != 3) {
      throw new ParameterException(spec.commandLine(), "--format is 2 or 3");
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

  private ZarrCopy copy(NodePlace place, Store store) {
    ZarrCopy copy =
        ZarrCopy.of(place.hierarchy(), Zarr.hierarchy(store))
            .from(place.node())
            .ifExists(resume ? IfExists.RESUME : overwrite ? IfExists.OVERWRITE : IfExists.REFUSE);
    copy = consolidate == null ? copy : copy.consolidated(consolidate);
    copy = format == null ? copy : copy.zarrFormat(format);
    copy = chunks == null ? copy : copy.chunkShape(chunks.toArray());
    copy = shards == null ? copy : copy.shardShape(shards.toArray());
    return codecs == null ? copy : copy.codecs(codecs.toArray());
  }
}
