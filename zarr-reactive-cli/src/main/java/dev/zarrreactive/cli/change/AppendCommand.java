package dev.zarrreactive.cli.change;

import dev.zarrreactive.ZarrArray;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.array.selection.Selection;
import dev.zarrreactive.cli.command.NodeOperation;
import dev.zarrreactive.cli.console.CommandConsole;
import dev.zarrreactive.cli.console.CommandFailure;
import dev.zarrreactive.cli.input.InputFile;
import dev.zarrreactive.cli.input.Slabs;
import dev.zarrreactive.cli.location.LocationText;
import dev.zarrreactive.cli.location.NodePlace;
import dev.zarrreactive.cli.options.ConcurrencyOption;
import dev.zarrreactive.cli.stream.WorkProgress;
import dev.zarrreactive.datatype.DataType;
import dev.zarrreactive.internal.planning.SaturatingSize;
import java.util.List;
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
    headerHeading = "Example: zarr append year.zarr/t monday.zarr/t%n",
    description = "Appends the elements of another array, slab by slab.")
public final class AppendCommand extends NodeOperation {
  @Parameters(
      index = "1",
      paramLabel = "SRC",
      description = "The array to append, or a NumPy file (.npy, or - for standard input).")
  private String source;

  @Option(
      names = "--axis",
      paramLabel = "N",
      description = "The dimension along which the array grows; by default 0.")
  private int axis;

  @Mixin private final ConcurrencyOption concurrency = new ConcurrencyOption();

  @Option(names = "--dry-run", description = "Only say how the array would grow.")
  private boolean dryRun;

  private volatile @Nullable Shape before;

  @Option(
      names = "--resume",
      description = "Make an interrupted append again, from the shape of before.")
  private boolean resume;

  @Override
  protected String adviceAfterInterrupt() {
    Shape shape = before;
    return shape == null || dryRun
        ? super.adviceAfterInterrupt()
        : "the array may have grown by a part of SRC; the same command with --resume appends all"
            + " of it to the shape "
            + AppendMark.words(shape, subject());
  }

  @Override
  protected Mono<Void> execute(CommandConsole console) {
    if (axis < 0) {
      throw new ParameterException(spec().commandLine(), "--axis counts from 0");
    }
    if (InputFile.isNpy(source)) {
      return InputFile.use(source, console, file -> append(file.slabs(), console));
    }
    return locationInHierarchy()
        .in(
            concurrency.of(options()),
            place ->
                location(source, command().storeSettings(spec()).of(source))
                    .in(concurrency.of(options()), from -> append(place, from, console)));
  }

  private Mono<Void> append(Slabs file, CommandConsole console) {
    return locationInHierarchy()
        .in(
            concurrency.of(options()),
            place -> {
              place.checkWritable();
              return Mono.zip(warned(place.openArray()), consolidatedAbove(place))
                  .flatMap(
                      found -> {
                        ZarrArray array = found.getT1();
                        long slab = checked(array, file.dataType(), file.shape());
                        return dryRun
                            ? forecast(array, file.shape(), console)
                            : appended(
                                    array,
                                    file.slabs(axis, slab, console.thread()),
                                    file.shape(),
                                    console)
                                .publishOn(console.thread())
                                .doOnNext(
                                    grown ->
                                        report(
                                            array.shape(), grown.shape(), found.getT2(), console));
                      })
                  .then();
            });
  }

  private Mono<Void> append(NodePlace place, NodePlace from, CommandConsole console) {
    place.checkWritable();
    return Mono.zip(warned(place.openArray()), warned(from.openArray()), consolidatedAbove(place))
        .flatMap(
            found ->
                dryRun
                    ? forecast(found.getT1(), found.getT2(), console)
                    : append(found.getT1(), found.getT2(), console)
                        .publishOn(console.thread())
                        .doOnNext(
                            grown ->
                                report(
                                    found.getT1().shape(), grown.shape(), found.getT3(), console)))
        .then();
  }

  private Mono<ZarrArray> forecast(ZarrArray array, ZarrArray other, CommandConsole console) {
    checked(array, other.dataType(), other.shape());
    return forecast(array, other.shape(), console);
  }

  private Mono<ZarrArray> forecast(ZarrArray array, Shape shape, CommandConsole console) {
    long[] grown = array.shape().toArray();
    grown[axis] += shape.extent(axis);
    String sentence = "Would grow from " + array.shape() + " to " + Shape.of(grown) + ".";
    return Mono.fromRunnable(() -> console.out().println(sentence));
  }

  private Mono<ZarrArray> append(ZarrArray array, ZarrArray other, CommandConsole console) {
    Shape shape = other.shape();
    long slab = checked(array, other.dataType(), shape);
    long extent = shape.extent(axis);
    Flux<NdArray> slabs =
        Flux.<Long, Long>generate(
                () -> 0L,
                (from, sink) -> {
                  if (from >= extent) {
                    sink.complete();
                  } else {
                    sink.next(from);
                  }
                  return from + slab;
                })
            .concatMap(from -> other.read(slab(shape, from, Math.min(extent, from + slab))), 0);
    return appended(array, slabs, shape, console);
  }

  private Mono<ZarrArray> appended(
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

  /** Checks that an array can be appended, and returns the extent of a slab: that of a chunk. */
  private long checked(ZarrArray array, DataType type, Shape shape) {
    if (axis >= array.shape().rank() || shape.rank() != array.shape().rank()) {
      throw new CommandFailure(
          "an array of shape "
              + shape
              + " cannot be appended to one of shape "
              + array.shape()
              + " along dimension "
              + axis);
    }
    if (!type.equals(array.dataType())) {
      throw new CommandFailure(
          "elements of " + type + " cannot be appended to an array of " + array.dataType());
    }
    before = array.shape();
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
      Shape before, Shape after, List<String> groups, CommandConsole console) {
    console.note("Grown from " + before + " to " + after + ".");
    reportRemoved(groups, console);
  }
}
