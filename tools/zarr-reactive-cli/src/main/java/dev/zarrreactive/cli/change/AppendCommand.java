package dev.zarrreactive.cli.change;

import dev.zarrreactive.ZarrArray;
import dev.zarrreactive.ZarrGroup;
import dev.zarrreactive.ZarrOptions;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.array.selection.Selection;
import dev.zarrreactive.cf.CfRule;
import dev.zarrreactive.cli.command.NodeOperation;
import dev.zarrreactive.cli.console.CommandConsole;
import dev.zarrreactive.cli.console.CommandFailure;
import dev.zarrreactive.cli.console.Printable;
import dev.zarrreactive.cli.input.InputFile;
import dev.zarrreactive.cli.location.CommitForecast;
import dev.zarrreactive.cli.location.LocationText;
import dev.zarrreactive.cli.location.NodeLocation;
import dev.zarrreactive.cli.location.NodePlace;
import dev.zarrreactive.cli.options.CommitOption;
import dev.zarrreactive.cli.options.ConcurrencyOption;
import dev.zarrreactive.cli.stream.WorkProgress;
import dev.zarrreactive.dataset.Dataset;
import dev.zarrreactive.dataset.Variable;
import dev.zarrreactive.datatype.DataType;
import dev.zarrreactive.internal.files.ElementFile;
import dev.zarrreactive.internal.planning.SaturatingSize;
import dev.zarrreactive.metadata.NodePath;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.store.StoreOptions;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** {@code zarr append}. */
@Command(
    name = "append",
    headerHeading =
        "Examples: zarr append year.zarr/t monday.zarr/t%n"
            + "          zarr append year.zarr february.zarr --dimension time%n",
    description = {
      "Appends the elements of another array, slab by slab.",
      "Of a group, the rows of all variables of another dataset along its times.",
      "Units of time, scale, offset and missing values that differ are converted."
    })
public final class AppendCommand extends NodeOperation {
  @Parameters(
      index = "1",
      paramLabel = "SRC",
      description = "The array or dataset to append, or a NumPy file (.npy, - for standard input).")
  private String source;

  @Option(
      names = "--axis",
      paramLabel = "N",
      description = "The dimension along which the array grows; by default 0.")
  private int axis;

  @Option(
      names = "--dimension",
      paramLabel = "NAME",
      description = "The dimension along which a dataset grows; by default that of its times.")
  private @Nullable String dimension;

  @Mixin private final ConcurrencyOption concurrency = new ConcurrencyOption();

  @Option(
      names = "--bits",
      description = "Append stored elements as they are, whatever attributes say of them.")
  private boolean bits;

  @Option(names = "--any-order", description = "Append times of a dataset that step back, too.")
  private boolean anyOrder;

  @Option(names = "--dry-run", description = "Only say how the array would grow.")
  private boolean dryRun;

  /** The shape of before the append; null until it begins. */
  private volatile @Nullable Shape before;

  /** The dataset whose arrays grow; null until they do. */
  private volatile @Nullable AppendedDataset growing;

  @Option(names = "--resume", description = "Make an interrupted append again.")
  private boolean resume;

  @Mixin private final CommitOption commit = new CommitOption();

  @Override
  protected String adviceAfterInterrupt() {
    AppendedDataset dataset = growing;
    String remains = dataset == null ? "" : dataset.remains(subject());
    if (!remains.isEmpty()) {
      return remains;
    }
    Shape shape = before;
    return shape == null
        ? super.adviceAfterInterrupt()
        : "the array may have grown by a part of SRC; the same command with --resume appends all"
            + " of it to the shape "
            + AppendMark.words(shape, subject());
  }

  @Override
  protected CommitOption commit() {
    return commit;
  }

  @Override
  protected Mono<Void> execute(CommandConsole console) {
    if (axis < 0) {
      throw new ParameterException(spec().commandLine(), "--axis counts from 0");
    }
    String along = dimension;
    if (along != null
        && (bits || spec().commandLine().getParseResult().hasMatchedOption("--axis"))) {
      throw new ParameterException(
          spec().commandLine(), "--dimension is for datasets; --axis and --bits are for arrays");
    }
    if (InputFile.isNpy(source) && along == null) {
      requireAxis();
      return InputFile.use(source, console, file -> append(file.npy(), console));
    }
    ZarrOptions options = concurrency.of(options());
    NodeLocation array = locationInHierarchy();
    NodeLocation other = sourceLocation();
    return array.in(
        options,
        place ->
            other
                .in(
                    options,
                    from ->
                        (along == null
                                ? append(place, from, console)
                                : append(place, from, along, console))
                            .onErrorMap(error -> CommandFailure.about(subject(), error)))
                .onErrorMap(this::ofSource));
  }

  /** Returns the location of SRC in the hierarchy that it lies in, whose arrays give it units. */
  private NodeLocation sourceLocation() {
    try {
      StoreOptions settings = command().storeSettings(spec()).of(source);
      return bits
          ? location(source, settings)
          : watched(source, NodeLocation.inHierarchy(source, command().drafts(), settings));
    } catch (CommandFailure | IllegalArgumentException e) {
      throw CommandFailure.of(LocationText.shown(source), e);
    }
  }

  private Throwable ofSource(Throwable error) {
    return CommandFailure.about(LocationText.shown(source), error);
  }

  private Mono<Void> append(ElementFile file, CommandConsole console) {
    return locationInHierarchy()
        .in(
            concurrency.of(options()),
            place -> {
              place.checkWritable();
              return Mono.zip(withWarnings(place.openArray()), consolidatedGroupsAbove(place))
                  .flatMap(
                      found -> {
                        ZarrArray array = found.getT1();
                        checkShape(array, file.shape());
                        checkType(array, file.dataType());
                        return dryRun
                            ? forecast(array, file.shape(), "", console)
                            : appendSlabs(
                                    array,
                                    file.slabs(axis, slab(array), console.thread()),
                                    file.shape(),
                                    console)
                                .publishOn(console.thread())
                                .doOnNext(
                                    grown ->
                                        report(
                                            array.shape(),
                                            grown.shape(),
                                            "",
                                            found.getT2(),
                                            console));
                      })
                  .then();
            });
  }

  /** Appends to what is there: a dataset to a group, otherwise an array. */
  private Mono<Void> append(NodePlace place, NodePlace from, CommandConsole console) {
    place.checkWritable();
    return withWarnings(place.open())
        .flatMap(
            node -> {
              if (!(node instanceof ZarrGroup)) {
                return appendArray(place, from, console);
              }
              if (bits || spec().commandLine().getParseResult().hasMatchedOption("--axis")) {
                throw new CommandFailure(
                    "this is a group, to which a dataset is appended; --axis and --bits are for"
                        + " arrays");
              }
              return append(place, from, null, console);
            });
  }

  /** Refuses an option of datasets. */
  private void requireAxis() {
    if (anyOrder) {
      throw new CommandFailure("--any-order is for datasets, whose times have an order");
    }
  }

  private Mono<Void> appendArray(NodePlace place, NodePlace from, CommandConsole console) {
    requireAxis();
    return Mono.zip(
            withWarnings(place.openArray()),
            withWarnings(from.openArray()).onErrorMap(this::ofSource),
            consolidatedGroupsAbove(place))
        .flatMap(
            found -> {
              ZarrArray array = found.getT1();
              ZarrArray other = found.getT2();
              checkShape(array, other.shape());
              return values(place, array, from, other)
                  .flatMap(
                      values ->
                          dryRun
                              ? forecast(array, other.shape(), values.toString(), console)
                              : append(array, other, values, console)
                                  .publishOn(console.thread())
                                  .doOnNext(
                                      grown ->
                                          report(
                                              array.shape(),
                                              grown.shape(),
                                              values.toString(),
                                              found.getT3(),
                                              console)));
            })
        .then();
  }

  /**
   * Appends a dataset.
   *
   * @param along the dimension; null for that of the times
   */
  private Mono<Void> append(
      NodePlace place, NodePlace from, @Nullable String along, CommandConsole console) {
    place.checkWritable();
    return unfinished(place)
        .flatMap(
            consolidated ->
                Mono.zip(
                        Dataset.open(place.hierarchy(), place.node()),
                        Dataset.open(from.hierarchy(), from.node()).onErrorMap(this::ofSource),
                        consolidatedPathsAbove(place))
                    .flatMap(
                        found -> {
                          String dimension =
                              along == null
                                  ? AppendedDataset.dimension(found.getT1(), found.getT2())
                                  : along;
                          List<NodePath> above = new ArrayList<>(found.getT3());
                          consolidated.stream()
                              .filter(path -> !above.contains(path))
                              .forEach(above::add);
                          return AppendedDataset.of(place, found.getT2(), dimension, anyOrder)
                              .flatMap(appended -> append(place, appended, above, console));
                        }));
  }

  /** Emits the groups whose consolidated metadata an append that has not ended has removed. */
  private Mono<List<NodePath>> unfinished(NodePlace place) {
    return place
        .hierarchy()
        .openGroup(place.node())
        .flatMap(
            group -> new DatasetMark(place.hierarchy(), group, subject()).look(resume && !dryRun))
        .map(before -> before.consolidated().stream().map(NodePath::of).toList())
        .defaultIfEmpty(List.of());
  }

  /** Says which commit the append would be, where it would be one. */
  private static Mono<Void> forecast(
      NodePlace place, AppendedDataset appended, List<NodePath> groups, CommandConsole console) {
    return CommitForecast.isOf(place.hierarchy().store())
        ? appended
            .grow()
            .then(consolidate(place, groups))
            .then(CommitForecast.print(place.hierarchy().store(), appended.chunks(), console))
        : Mono.empty();
  }

  private Mono<Void> append(
      NodePlace place, AppendedDataset appended, List<NodePath> above, CommandConsole console) {
    Mono<Void> report =
        Mono.<Void>fromRunnable(() -> report(appended, above, console))
            .subscribeOn(console.thread());
    return dryRun
        ? report.then(Mono.defer(() -> forecast(place, appended, above, console)))
        : append(appended, above, console).then(consolidate(place, above)).then(report);
  }

  private Mono<Void> append(
      AppendedDataset appended, List<NodePath> above, CommandConsole console) {
    WorkProgress progress = new WorkProgress(console, "appended", null);
    progress.begin(LocationText.shown(source), appended.bytes());
    growing = appended;
    return progress
        .beside(appended.append(subject(), above, progress::add))
        .onErrorMap(
            IllegalArgumentException.class,
            error -> {
              CommandFailure failure = CommandFailure.of(subject(), error);
              return new CommandFailure(
                  String.valueOf(failure.getMessage())
                      .replace("NewDataset.inAnyOrder(true)", "--any-order"),
                  failure);
            });
  }

  private void report(AppendedDataset appended, List<NodePath> groups, CommandConsole console) {
    if (dryRun) {
      appended.forecast().forEach(line -> console.out().println(Printable.of(line)));
    } else {
      console.note(
          Printable.of(
              "Appended "
                  + appended.rows()
                  + " to the dimension "
                  + appended.dimension()
                  + " of "
                  + appended.parts().size()
                  + " arrays."));
      for (NodePath group : groups) {
        console.remark(Printable.of("renewed the consolidated metadata of the group " + group));
      }
    }
  }

  /** Emits what is appended of SRC, by what both arrays say about their elements. */
  private Mono<AppendedValues> values(
      NodePlace place, ZarrArray array, NodePlace from, ZarrArray other) {
    if (bits) {
      checkType(array, other.dataType());
      return Mono.just(AppendedValues.stored(other));
    }
    return Mono.zip(variable(place, array), variable(from, other).onErrorMap(this::ofSource))
        .map(both -> AppendedValues.of(both.getT1(), both.getT2(), false));
  }

  private static Mono<Variable> variable(NodePlace place, ZarrArray array) {
    return Variable.isDecodedAlone(array)
        ? Mono.just(Variable.of(array, List.of(), CfRule.all()))
        : place.beside(array).map(beside -> Variable.of(array, beside, CfRule.all()));
  }

  private Mono<ZarrArray> forecast(
      ZarrArray array, Shape shape, String conversion, CommandConsole console) {
    long[] grown = array.shape().toArray();
    grown[axis] += shape.extent(axis);
    Shape after = Shape.of(grown);
    BigInteger chunks = AppendedDataset.chunks(array.metadata(), after, axis);
    String counted = AppendedDataset.counted(chunks, "chunk");
    String sentence =
        "Would grow from "
            + array.shape()
            + " to "
            + after
            + converted(conversion)
            + ", by a write of "
            + counted
            + ".";
    Mono<ZarrArray> said = Mono.fromRunnable(() -> console.out().println(sentence));
    Store store = array.store();
    return CommitForecast.isOf(store)
        ? said.then(Mono.defer(() -> array.resize(after)))
            .then(CommitForecast.print(store, Map.of(array.path(), chunks), console))
            .then(Mono.empty())
        : said;
  }

  private static String converted(String conversion) {
    return conversion.isEmpty() ? "" : ", converted: " + conversion;
  }

  private Mono<ZarrArray> append(
      ZarrArray array, ZarrArray other, AppendedValues values, CommandConsole console) {
    Mono<Void> check =
        values.areStored() ? Mono.empty() : check(slabs(array, other, values).then(), console);
    return check.then(
        Mono.defer(() -> appendSlabs(array, slabs(array, other, values), other.shape(), console)));
  }

  /**
   * Encodes all values once before the array grows: a value that does not fit is refused in time.
   */
  private Mono<Void> check(Mono<Void> pass, CommandConsole console) {
    WorkProgress progress = new WorkProgress(console, "checked", null);
    progress.begin(LocationText.shown(source), -1);
    return progress.beside(pass);
  }

  /** Emits the elements to append, slab by slab: of the extent of a chunk of the array. */
  private Flux<NdArray> slabs(ZarrArray array, ZarrArray other, AppendedValues values) {
    Shape shape = other.shape();
    long extent = shape.extent(axis);
    long slab = slab(array);
    return Flux.fromStream(
            () -> LongStream.iterate(0, from -> from < extent, from -> from + slab).boxed())
        .concatMap(
            from -> {
              long[] start = new long[shape.rank()];
              start[axis] = from;
              Selection part = slab(shape, from, Math.min(extent, from + slab));
              return values.areStored()
                  ? other.read(part).onErrorMap(this::ofSource)
                  : values
                      .decoding()
                      .read(other, part)
                      .onErrorMap(this::ofSource)
                      .map(decoded -> values.encoded(decoded, start));
            },
            0);
  }

  private Mono<ZarrArray> appendSlabs(
      ZarrArray array, Flux<NdArray> slabs, Shape shape, CommandConsole console) {
    WorkProgress progress = new WorkProgress(console, "appended", null);
    progress.begin(LocationText.shown(source), SaturatingSize.bytes(shape, array.dataType()));
    return progress.beside(
        new AppendMark(array, subject())
            .during(
                resume,
                shapeOfBefore -> before = shapeOfBefore,
                begun ->
                    begun.append(
                        axis,
                        slabs.doOnNext(
                            slab ->
                                progress.add(
                                    SaturatingSize.bytes(slab.shape(), array.dataType()))))));
  }

  private void checkShape(ZarrArray array, Shape shape) {
    if (axis >= array.shape().rank() || shape.rank() != array.shape().rank()) {
      throw new CommandFailure(
          "an array of shape "
              + shape
              + " cannot be appended to one of shape "
              + array.shape()
              + " along dimension "
              + axis);
    }
    if (array.shape().extent(axis) > Long.MAX_VALUE - shape.extent(axis)) {
      throw new CommandFailure(
          "an array of shape "
              + array.shape()
              + " cannot grow by "
              + shape.extent(axis)
              + ": an extent is at most 2^63 - 1");
    }
  }

  private static void checkType(ZarrArray array, DataType type) {
    if (!type.equals(array.dataType())) {
      throw new CommandFailure(
          "elements of " + type + " cannot be appended to an array of " + array.dataType());
    }
  }

  /** Returns the extent of a slab: that of a chunk. */
  private long slab(ZarrArray array) {
    return Math.max(1, array.chunkGrid().largestChunkShape().extent(axis));
  }

  private Selection slab(Shape shape, long from, long to) {
    long[] start = new long[shape.rank()];
    long[] extents = shape.toArray();
    start[axis] = from;
    extents[axis] = to - from;
    return Selection.box(start, extents);
  }

  private static void report(
      Shape before, Shape after, String conversion, List<String> groups, CommandConsole console) {
    console.note("Grown from " + before + " to " + after + converted(conversion) + ".");
    reportRemoved(groups, console);
  }
}
