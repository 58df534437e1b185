package dev.zarrreactive.cli.view;

import dev.zarrreactive.ZarrArray;
import dev.zarrreactive.ZarrGroup;
import dev.zarrreactive.cli.command.NodeOperation;
import dev.zarrreactive.cli.console.CommandConsole;
import dev.zarrreactive.cli.console.CommandFailure;
import dev.zarrreactive.cli.console.Out;
import dev.zarrreactive.cli.console.OutputException;
import dev.zarrreactive.cli.console.Terminal;
import dev.zarrreactive.cli.describe.TextColumns;
import dev.zarrreactive.cli.location.NodeLocation;
import dev.zarrreactive.cli.location.NodePlace;
import dev.zarrreactive.cli.options.ConcurrencyOption;
import dev.zarrreactive.cli.options.SelectOption;
import dev.zarrreactive.cli.output.CfOptions;
import dev.zarrreactive.cli.output.OutputFile;
import dev.zarrreactive.cli.view.PlaneView.Drawn;
import dev.zarrreactive.encodings.ColourMap;
import dev.zarrreactive.error.NodeNotFoundException;
import dev.zarrreactive.error.UnsupportedFeatureException;
import dev.zarrreactive.ome.OmeMetadata;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.LongStream;
import javax.imageio.ImageIO;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import reactor.core.publisher.Mono;

/** {@code zarr view}. */
@Command(
    name = "view",
    headerHeading =
        "Examples: zarr view earth.zarr/earth/relief -o relief.png%n"
            + "          zarr view era5.zarr/t2m --sel time=2024-01-05T12 --colours coolwarm%n",
    description = {
      "Draws a plane of an array, or an image or a plate of OME-Zarr.",
      "In the terminal or as a PNG; without --select the first plane of the array."
    })
public final class ViewCommand extends NodeOperation {
  private static final int LEGEND_LINES = 4;

  @Mixin private final SelectOption select = new SelectOption();
  @Mixin private final CfOptions cf = new CfOptions();
  @Mixin private final ConcurrencyOption concurrency = new ConcurrencyOption();

  @Option(
      names = "--rgb",
      paramLabel = "R,G,B",
      split = ",",
      hideParamSyntax = true,
      description = "The bands that are red, green and blue.")
  private long @Nullable [] bands;

  @Option(
      names = "--colours",
      paramLabel = "MAP",
      converter = ColourMapConverter.class,
      description = "viridis (the default), magma, inferno, plasma, coolwarm or grey.")
  private @Nullable ColourMap colours;

  @Option(
      names = "--range",
      paramLabel = "MIN:MAX",
      converter = StretchConverters.OfNumbers.class,
      description = "Numbers with the first and the last colour: -40:50.")
  private @Nullable Stretch range;

  @Option(
      names = "--percentiles",
      paramLabel = "MIN:MAX",
      converter = StretchConverters.OfPercentiles.class,
      description = "The same as percentiles; 2:98, and all for uint8.")
  private @Nullable Stretch percentiles;

  @Option(
      names = {"-o", "--output"},
      paramLabel = "FILE.png",
      description = "Write a picture to this file; - is standard output.")
  private @Nullable Path file;

  @Option(
      names = "--size",
      paramLabel = "PIXELS",
      description = "The picture's longer side, at most; 1024 by default.")
  private int size = 1024;

  @Override
  protected String adviceAfterInterrupt() {
    return OutputFile.adviceAfterInterrupt(file);
  }

  @Override
  protected Mono<Void> execute(CommandConsole console) {
    if (range != null && percentiles != null) {
      throw refused("--range and --percentiles exclude each other");
    }
    if (bands != null && LongStream.of(bands).count() != 3) {
      throw refused("--rgb takes three bands, such as 3,2,1");
    }
    if (size < 1 || size > 1 << 14) {
      throw refused("--size is from 1 to 16384, not " + size);
    }
    boolean toOutput = OutputFile.isStandardOutput(file);
    if (toOutput && console.terminal().out()) {
      throw refused("A terminal cannot show a PNG file; use a pipe, or leave out -o");
    }
    if (file != null && !toOutput && !file.toString().endsWith(".png")) {
      throw refused("the picture is a PNG file; name it with the suffix .png, not " + file);
    }
    if (cf.areContrary()) {
      throw refused("--decode and --raw exclude each other");
    }
    NodeLocation hierarchy = locationInHierarchy();
    return location(cf.hasLabels())
        .in(concurrency.of(options()), place -> draw(place, hierarchy, console));
  }

  private ParameterException refused(String message) {
    return new ParameterException(spec().commandLine(), message);
  }

  private PlaneView view(Terminal terminal, PlaneAxes axes) {
    return new PlaneView(
        file == null ? ofTerminal(terminal, axes) : new Size(size, size),
        file == null ? 2 : 1,
        range == null ? percentiles : range,
        colours == null ? ColourMap.VIRIDIS : colours);
  }

  /** Returns the pixels of the terminal: two in each character, above the legend. */
  private static Size ofTerminal(Terminal terminal, PlaneAxes axes) {
    return new Size(
        Math.max(8, terminal.columns() - 1 - axes.margin()),
        2 * Math.max(4, terminal.lines() - LEGEND_LINES - axes.lines()));
  }

  private Mono<Void> draw(NodePlace place, NodeLocation hierarchy, CommandConsole console) {
    return withWarnings(place.open())
        .flatMap(
            node ->
                node instanceof ZarrGroup group && OmeMetadata.of(group).isOme()
                    ? draw(group, view(console.terminal(), PlaneAxes.NONE))
                    : node instanceof ZarrArray array
                        ? draw(place, hierarchy, array, console)
                        : place
                            .openArray()
                            .flatMap(array -> draw(place, hierarchy, array, console)))
        .flatMap(
            drawn -> {
              Path target = file;
              return target == null
                  ? Mono.<Void>fromRunnable(() -> print(drawn, console))
                      .subscribeOn(console.thread())
                  : write(drawn, target, console);
            });
  }

  /** Draws an image by its attributes, or in the colours of the options the level that fits. */
  private Mono<Drawn> draw(ZarrGroup group, PlaneView view) {
    if (select.isGiven() || cf.isGiven()) {
      throw refused(
          "--select, --sel and --decode are for an array; name a level of the image, such as"
              + " PATH/0");
    }
    boolean hasOptions = bands != null || range != null || percentiles != null || colours != null;
    return hasOptions
        ? ImageView.image(group)
            .doOnNext(image -> warn(group.path(), image.gaps()))
            .map(image -> ImageView.level(image, view.most()).array())
            .flatMap(
                level ->
                    view.draw(
                        level, Plane.of(level, null, bands), cf.decoding(level), PlaneAxes.NONE))
        : ImageView.draw(group, view.most(), gaps -> warn(group.path(), gaps));
  }

  private Mono<Drawn> draw(
      NodePlace place, NodeLocation hierarchy, ZarrArray array, CommandConsole console) {
    boolean isSelected = cf.hasLabels() || select.isGiven();
    return Mono.zip(cf.part(place, array, select, hierarchy), place.forManyChunks(array))
        .flatMap(
            both -> {
              CfOptions.Part found = both.getT1();
              Plane plane = Plane.of(array, isSelected ? found.selection() : null, bands);
              boolean isStored = // a picture leaves out missing values in any case
                  !cf.isDecoding() && (plane.hasColours() || !found.isConverted());
              CfOptions.Part part = isStored ? found.stored(array) : found;
              part.remark()
                  .ifPresent(text -> console.thread().schedule(() -> console.remark(text)));
              return axes(place, array, plane)
                  .flatMap(
                      axes ->
                          view(console.terminal(), axes)
                              .draw(both.getT2(), plane, part.decoding(), axes));
            });
  }

  /** Emits the coordinates of the rows and the columns, as far as there are any. */
  private Mono<PlaneAxes> axes(NodePlace place, ZarrArray array, Plane plane) {
    return Mono.zip(
            axis(place, array, plane, plane.rows()), axis(place, array, plane, plane.columns()))
        .map(both -> new PlaneAxes(both.getT1().orElse(null), both.getT2().orElse(null)));
  }

  private Mono<Optional<PlaneAxis>> axis(
      NodePlace place, ZarrArray array, Plane plane, int dimension) {
    String name = PlaneView.name(array, dimension);
    if (name == null || name.isEmpty() || name.contains("/") || name.startsWith(".")) {
      return Mono.just(Optional.empty());
    }
    long extent = array.shape().extent(dimension);
    long[] ends = plane.ends(dimension);
    Mono<PlaneAxis> read =
        array.path().isRoot()
            ? Mono.defer(
                    () ->
                        sibling(name)
                            .in(
                                options(),
                                beside ->
                                    beside
                                        .openArray()
                                        .flatMap(found -> PlaneAxis.of(name, found, extent, ends))))
                .subscribeOn(command().console().thread()) // it looks at files
            : place
                .hierarchy()
                .openArray(array.path().parent().resolve(name).value())
                .flatMap(found -> PlaneAxis.of(name, found, extent, ends));
    return read.map(Optional::of)
        .onErrorReturn(ViewCommand::hasNoLabels, Optional.empty())
        .defaultIfEmpty(Optional.empty());
  }

  /** Returns true if the array is missing, or its values cannot be decoded. */
  private static boolean hasNoLabels(Throwable error) {
    return error instanceof CommandFailure
        || error instanceof NodeNotFoundException
        || error instanceof UnsupportedFeatureException;
  }

  private void print(Drawn drawn, CommandConsole console) {
    List<String> picture = drawn.picture().lines(colours(), console.terminal());
    drawn.axes().beside(picture, drawn.size().width()).forEach(console.out()::println);
    TextColumns.wrapped(legend(drawn), "", console.terminal().lineLength())
        .forEach(console.out()::println);
  }

  private static String legend(Drawn drawn) {
    String axes = drawn.axes().toString();
    return drawn.legend() + (axes.isEmpty() ? "" : "; " + axes);
  }

  private static Mono<Void> encode(Drawn drawn, Out out) {
    return Mono.fromRunnable(
        () -> {
          try {
            ImageIO.write(drawn.picture().image(), "png", out.stream());
          } catch (IOException e) {
            throw new OutputException(e);
          }
        });
  }

  private static Mono<Void> write(Drawn drawn, Path target, CommandConsole console) {
    if (OutputFile.isStandardOutput(target)) {
      return encode(drawn, console.out()).subscribeOn(console.thread());
    }
    return OutputFile.write(target, console.thread(), out -> encode(drawn, out))
        .then(
            Mono.<Void>fromRunnable(
                    () ->
                        console.note(
                            String.format(
                                "Written: %s, %d x %d pixels; %s",
                                target,
                                drawn.size().width(),
                                drawn.size().height(),
                                legend(drawn))))
                .subscribeOn(console.thread()));
  }
}
