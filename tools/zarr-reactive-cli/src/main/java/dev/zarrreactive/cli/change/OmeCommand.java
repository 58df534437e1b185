package dev.zarrreactive.cli.change;

import dev.zarrreactive.Zarr;
import dev.zarrreactive.cli.command.LocatedOperation;
import dev.zarrreactive.cli.console.CommandConsole;
import dev.zarrreactive.cli.console.CommandFailure;
import dev.zarrreactive.cli.location.CopyTarget;
import dev.zarrreactive.cli.location.LocationText;
import dev.zarrreactive.cli.location.NodePlace;
import dev.zarrreactive.cli.options.CommitOption;
import dev.zarrreactive.error.NodeExistsException;
import dev.zarrreactive.ome.NewOmeImage;
import dev.zarrreactive.ome.OmeAxis;
import dev.zarrreactive.ome.OmeImage;
import dev.zarrreactive.ome.OmeLevel;
import dev.zarrreactive.pyramid.Downsampling;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import reactor.core.publisher.Mono;

/** {@code zarr ome}. */
@Command(
    name = "ome",
    headerHeading = "Example: zarr ome create volume.zarr/a image.zarr --axes z,y,x%n",
    description = {
      "create: makes an image of OME-Zarr at DST from an array, with its levels.",
      "levels: adds the coarser levels to an image that has one."
    })
public final class OmeCommand extends LocatedOperation {
  private static final int MOST_LEVELS = 32;

  @Parameters(index = "0", paramLabel = "ACTION", description = "create or levels.")
  private String action;

  @Parameters(index = "1", paramLabel = "PATH", description = "The array, or the image.")
  private String path;

  @Parameters(
      index = "2",
      arity = "0..1",
      paramLabel = "DST",
      description = "Where create makes the image.")
  private @Nullable String destination;

  @Option(
      names = "--axes",
      paramLabel = "NAMES",
      hideParamSyntax = true,
      split = ",",
      description = "The axes of the array, as t,c,z,y,x.")
  private List<String> axes = List.of();

  @Option(
      names = "--spacing",
      paramLabel = "AXIS=N",
      hideParamSyntax = true,
      split = ",",
      description = "The distance of neighbours, as y=0.5,x=0.5.")
  private Map<String, Double> spacing = new LinkedHashMap<>();

  @Option(
      names = "--axis-unit",
      paramLabel = "UNIT",
      description = "The unit of the axes of space, as micrometer.")
  private String unit = "";

  @Option(
      names = "--levels",
      paramLabel = "N",
      description = "The number of levels; without, down to 256 elements.")
  private int levels;

  @Option(
      names = "--method",
      paramLabel = "HOW",
      description = "mean, nearest or mode, which is for labels.")
  private String method = "mean";

  @Option(names = "--ome", paramLabel = "VERSION", description = "0.5 or 0.6.")
  private String version = "0.5";

  @Mixin private final CommitOption commit = new CommitOption();

  @Override
  protected String path() {
    return path;
  }

  @Override
  protected String adviceAfterInterrupt() {
    return action.equals("create")
        ? "parts of the image may be stored; zarr rm removes them"
        : "arrays of levels may be stored that the image does not name; zarr tree shows them";
  }

  @Override
  protected CommitOption commit() {
    return commit;
  }

  @Override
  protected Mono<Void> execute(CommandConsole console) {
    if (levels < 0 || levels > MOST_LEVELS) {
      throw wrong("--levels is 1 to " + MOST_LEVELS);
    }
    if (!action.equals("create") && !action.equals("levels")) {
      throw wrong("Expected create or levels, found " + action);
    }
    Downsampling how = downsampling();
    if (action.equals("levels")) {
      if (destination != null || !axes.isEmpty() || !spacing.isEmpty() || !unit.isEmpty()) {
        throw wrong("levels has neither DST nor --axes, --spacing or --axis-unit");
      }
      return locationInHierarchy().in(options(), place -> addLevels(place, how, console));
    }
    if (destination == null) {
      throw wrong("create needs DST, where the image is made");
    }
    if (axes.isEmpty()) {
      throw wrong("create needs --axes, such as z,y,x");
    }
    if (CopyTarget.isArchive(destination)) {
      throw wrong("A zip archive is written at once; create a directory, and copy it");
    }
    NewOmeImage image = image(how);
    String shown = LocationText.shown(destination);
    CopyTarget target =
        CopyTarget.of(
                destination,
                commit.of(
                    command().storeSettings(spec()).checkedFor(path, destination).of(destination),
                    destination,
                    spec()),
                false)
            .telling(this::note);
    return location()
        .in(
            options(),
            place ->
                target.use(
                    Mono.just(false),
                    to ->
                        place
                            .openArray()
                            .flatMap(
                                array ->
                                    image
                                        .write(Zarr.hierarchy(to.store()), to.node(), array)
                                        .onErrorMap(
                                            NodeExistsException.class,
                                            error -> taken(shown, error)))
                            .publishOn(console.thread())
                            .doOnNext(made -> console.note(to.made("created", described(made))))
                            .then()));
  }

  private Downsampling downsampling() {
    for (Downsampling each : Downsampling.values()) {
      if (each.attribute().equals(method)) {
        return each;
      }
    }
    throw wrong("--method is mean, nearest or mode: " + method);
  }

  private NewOmeImage image(Downsampling how) {
    try {
      List<OmeAxis> all = new ArrayList<>();
      for (String name : axes) {
        String type =
            switch (name) {
              case "t" -> "time";
              case "c" -> "channel";
              default -> "space";
            };
        all.add(new OmeAxis(name, type, type.equals("space") ? unit : ""));
      }
      NewOmeImage image = OmeImage.builder(all).version(version).downsampling(how);
      if (how == Downsampling.MODE) {
        image.labels();
      }
      if (levels > 0) {
        image.levels(levels);
      }
      spacing.forEach(image::scale);
      return image;
    } catch (IllegalArgumentException e) {
      throw wrong(String.valueOf(e.getMessage()));
    }
  }

  private Mono<Void> addLevels(NodePlace place, Downsampling how, CommandConsole console) {
    place.checkWritable();
    return place
        .openGroup()
        .flatMap(OmeImage::of)
        .flatMap(image -> image.addLevels(levels, List.of(), how))
        .publishOn(console.thread())
        .doOnNext(image -> console.note("Added levels: now " + described(image) + "."))
        .then();
  }

  private static CommandFailure taken(String shown, NodeExistsException error) {
    return CommandFailure.of(
        shown,
        new CommandFailure(
            "a node exists here; choose another DST, or zarr rm erases what is there", error));
  }

  private static String described(OmeImage image) {
    return "an image of "
        + image.levels().stream()
            .map(OmeLevel::array)
            .map(array -> array.shape().toString())
            .collect(Collectors.joining(", "));
  }

  private ParameterException wrong(String message) {
    return new ParameterException(spec().commandLine(), message);
  }
}
