package dev.zarrreactive.cli.input;

import dev.zarrreactive.Zarr;
import dev.zarrreactive.ZarrHierarchy;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.chunkgrid.ChunkGrid;
import dev.zarrreactive.cli.command.Subcommand;
import dev.zarrreactive.cli.console.CommandConsole;
import dev.zarrreactive.cli.console.CommandFailure;
import dev.zarrreactive.cli.console.Printable;
import dev.zarrreactive.cli.location.CommitForecast;
import dev.zarrreactive.cli.location.CopyPlace;
import dev.zarrreactive.cli.location.CopyTarget;
import dev.zarrreactive.cli.location.LocationText;
import dev.zarrreactive.cli.options.ArraySettings;
import dev.zarrreactive.cli.options.Choices;
import dev.zarrreactive.cli.options.CommitOption;
import dev.zarrreactive.cli.options.ConcurrencyOption;
import dev.zarrreactive.cli.options.ExtentsConverter;
import dev.zarrreactive.cli.stream.WorkProgress;
import dev.zarrreactive.copy.ArrayFilling;
import dev.zarrreactive.copy.IfExists;
import dev.zarrreactive.error.NodeExistsException;
import dev.zarrreactive.error.ZarrException;
import dev.zarrreactive.internal.files.UnreadableFileException;
import dev.zarrreactive.internal.planning.SaturatingSize;
import dev.zarrreactive.metadata.ArrayMetadata;
import dev.zarrreactive.metadata.NodePath;
import java.math.BigInteger;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import reactor.core.Exceptions;
import reactor.core.publisher.Mono;

/** {@code zarr import}. */
@Command(
    name = "import",
    headerHeading =
        "Examples: zarr import t.npy new.zarr/t --chunks 30,90%n"
            + "          zarr import t.raw new.zarr/t --dtype int16 --shape 365,180%n",
    description = "Makes a new array of a file, part by part.")
public final class ImportCommand extends Subcommand {
  @Parameters(index = "0", paramLabel = "FILE", description = "A file, or - for standard input.")
  private String file;

  @Parameters(index = "1", paramLabel = "PATH", description = "The place of the new array.")
  private String path;

  @Option(
      names = "--from",
      paramLabel = "FORMAT",
      converter = InputFormat.Converter.class,
      description = "npy, raw, csv or png; else by content and suffix.")
  private @Nullable InputFormat from;

  @Option(
      names = "--dtype",
      paramLabel = "TYPE",
      description = "Of raw and csv (by default float64).")
  private @Nullable String type;

  @Option(
      names = "--shape",
      paramLabel = "SHAPE",
      converter = ExtentsConverter.class,
      description = "Of raw elements, as 365,180.")
  private @Nullable Shape shape;

  @Option(
      names = "--byte-order",
      paramLabel = "ORDER",
      converter = OrderConverter.class,
      description = "Of raw elements: little (the default) or big.")
  private @Nullable ByteOrder order;

  @Mixin private final ArraySettings settings = new ArraySettings();

  @Mixin private final ConcurrencyOption concurrency = new ConcurrencyOption();

  @Option(names = "--resume", description = "Continue an import that was interrupted.")
  private boolean resume;

  @Option(names = "--overwrite", description = "Erase the array or group at PATH first.")
  private boolean overwrite;

  @Option(names = "--dry-run", description = "Only say which array would be made.")
  private boolean dryRun;

  /** Whether the array is marked as unfinished. */
  private volatile boolean isBegun;

  private enum Order {
    LITTLE,
    BIG;

    @Override
    public String toString() {
      return this == BIG ? "big" : "little";
    }
  }

  /** Reads a byte order. */
  static final class OrderConverter implements ITypeConverter<ByteOrder> {
    @Override
    public ByteOrder convert(String word) {
      return Choices.choice(word, Order.values()) == Order.BIG
          ? ByteOrder.BIG_ENDIAN
          : ByteOrder.LITTLE_ENDIAN;
    }
  }

  @Mixin private final CommitOption commit = new CommitOption();

  @Override
  protected String subject() {
    return file + " to " + LocationText.shown(path);
  }

  @Override
  protected String adviceAfterInterrupt() {
    return isBegun ? unfinished() : super.adviceAfterInterrupt();
  }

  @Override
  protected Mono<Void> execute(CommandConsole console) {
    if (CopyTarget.isArchive(path)) {
      throw wrong("A zip archive is written at once; import into a directory, and copy it");
    }
    if (resume && overwrite) {
      throw wrong("--resume and --overwrite cannot both be wanted");
    }
    InputFile.Description said;
    try {
      said =
          new InputFile.Description(
              from, type == null ? null : ArraySettings.dataType(type), shape, order);
    } catch (IllegalArgumentException e) {
      throw wrong(String.valueOf(e.getMessage()));
    }
    CopyTarget target =
        CopyTarget.of(
                path,
                commit.of(command().storeSettings(spec()).checkedFor(path).of(path), path, spec()),
                overwrite)
            .telling(this::note);
    return InputFile.use(file, console, found -> make(found, said, target, console));
  }

  private Mono<Void> make(
      InputFile found, InputFile.Description said, CopyTarget target, CommandConsole console) {
    ElementSource elements;
    ArrayMetadata metadata;
    try {
      elements = found.elements(said);
      metadata = settings.metadata(elements.shape(), elements.dataType());
    } catch (IllegalArgumentException e) {
      throw wrong(String.valueOf(e.getMessage()));
    }
    String array =
        metadata.dataType()
            + " "
            + metadata.shape()
            + " in chunks of "
            + ChunkGrid.of(metadata.chunkGrid(), metadata.shape()).largestChunkShape();
    return dryRun
        ? say("Would make an array of " + array + ".", console)
            .then(Mono.defer(() -> forecast(target, metadata, console)))
        : target
            .use(
                Mono.just(true),
                place ->
                    place
                        .consolidatedGroupsAbove()
                        .flatMap(
                            groups ->
                                write(place, metadata, elements, console)
                                    .then(
                                        say(
                                            place.made("imported", "an array of " + array),
                                            console))
                                    .then(
                                        Mono.<Void>fromRunnable(
                                                () -> reportRemoved(groups, console))
                                            .subscribeOn(console.thread()))))
            .onErrorMap(
                NodeExistsException.class,
                error ->
                    resume
                        ? error
                        : new CommandFailure(
                            error.getMessage()
                                + "; --resume continues an unfinished import, --overwrite replaces"
                                + " a node",
                            error));
  }

  /** Says which commit the import would be, where it would be one. */
  private Mono<Void> forecast(CopyTarget target, ArrayMetadata metadata, CommandConsole console) {
    BigInteger chunks =
        Arrays.stream(ChunkGrid.of(metadata.chunkGrid(), metadata.shape()).gridShape().toArray())
            .mapToObj(BigInteger::valueOf)
            .reduce(BigInteger.ONE, BigInteger::multiply);
    return target.isVersion()
        ? target.lookAt(
            Mono.just(true),
            place -> {
              NodePath node = NodePath.of(place.node());
              return CommitForecast.note(place.store(), node, metadata, overwrite)
                  .then(CommitForecast.print(place.store(), Map.of(node, chunks), console));
            })
        : Mono.empty();
  }

  private Mono<Void> write(
      CopyPlace place, ArrayMetadata metadata, ElementSource elements, CommandConsole console) {
    ZarrHierarchy hierarchy = Zarr.hierarchy(place.store(), concurrency.of(options()));
    WorkProgress progress = new WorkProgress(console, "imported", null);
    long bytes = SaturatingSize.bytes(metadata.shape(), metadata.dataType());
    Mono<Void> written =
        ArrayFilling.of(hierarchy, place.node(), metadata)
            .ifExists(resume ? IfExists.RESUME : overwrite ? IfExists.OVERWRITE : IfExists.REFUSE)
            .run(
                (array, isResumed) -> {
                  isBegun = true;
                  return elements
                      .writeTo(
                          array,
                          isResumed,
                          share -> {
                            progress.at("of " + file, (long) (share * bytes), bytes);
                            progress.addHere(0);
                          },
                          console.thread())
                      .onErrorResume(error -> fail(error, hierarchy, place));
                })
            .then();
    return progress.beside(written);
  }

  /**
   * Fails the import. If the file is at fault, the array is erased first: no run can finish it.
   * After any other fault the array stays unfinished, and the error says which options help.
   */
  private Mono<Void> fail(Throwable error, ZarrHierarchy hierarchy, CopyPlace place) {
    UnreadableFileException ofFile = faultOfFile(error);
    return ofFile != null
        ? hierarchy
            .erase(place.node())
            .doOnSuccess(done -> isBegun = false)
            .onErrorComplete()
            .then(Mono.error(ofFile))
        : Mono.error(
            () ->
                error instanceof ZarrException && !CommandFailure.isOfMemory(error)
                    ? new CommandFailure(error.getMessage() + "; " + unfinished(), error)
                    : error);
  }

  private String unfinished() {
    return LocationText.shown(path)
        + " is unfinished, and no reader takes it for an array; the same command with --resume"
        + " continues the import, with --overwrite it starts again, zarr rm erases it";
  }

  /** Returns the fault of the file that made the write fail; null if the file is whole. */
  private static @Nullable UnreadableFileException faultOfFile(Throwable error) {
    Throwable cause = Exceptions.unwrap(error);
    while (cause != null && !(cause instanceof UnreadableFileException)) {
      cause = cause.getCause();
    }
    return (UnreadableFileException) cause;
  }

  private Mono<Void> say(String sentence, CommandConsole console) {
    return Mono.<Void>fromRunnable(
            () -> {
              if (dryRun) {
                console.out().println(Printable.of(sentence));
              } else {
                console.note(Printable.of(sentence));
              }
            })
        .subscribeOn(console.thread());
  }

  private ParameterException wrong(String message) {
    return new ParameterException(spec().commandLine(), message);
  }
}
