package dev.zarrreactive.cli.diff;

import dev.zarrreactive.UnreadableNode;
import dev.zarrreactive.ZarrArray;
import dev.zarrreactive.ZarrGroup;
import dev.zarrreactive.ZarrNode;
import dev.zarrreactive.cli.describe.ChunkLayout;
import dev.zarrreactive.cli.describe.SeenMetadata;
import dev.zarrreactive.cli.location.NodePlace;
import dev.zarrreactive.cli.output.ElementText;
import dev.zarrreactive.cli.stream.WorkProgress;
import dev.zarrreactive.internal.copying.PathGlobs;
import dev.zarrreactive.json.JsonNull;
import dev.zarrreactive.json.JsonObject;
import dev.zarrreactive.json.JsonValue;
import dev.zarrreactive.metadata.ArrayMetadata;
import dev.zarrreactive.metadata.DimensionNames;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Compares two nodes and everything below them. */
final class HierarchyDifference {
  /**
   * The extent of a comparison.
   *
   * @param tolerance the largest difference of two equal numbers
   * @param values whether elements are compared
   * @param bits whether attributes and fill values are compared as they are stored, and elements
   *     bit by bit
   * @param storage whether the format, the chunks and the codecs are compared
   * @param choice of the nodes below
   */
  record Options(
      double tolerance, boolean values, boolean bits, boolean storage, PathGlobs choice) {}

  /**
   * The places of the two nodes that are compared, and their errors, each of which names the one
   * that it is about.
   *
   * @param one the place of A
   * @param other the place of B
   * @param first returns an error of A
   * @param second returns an error of B
   */
  record Sides(
      NodePlace one,
      NodePlace other,
      Function<Throwable, Throwable> first,
      Function<Throwable, Throwable> second) {}

  private final Options options;
  private final Sides sides;
  private final Consumer<ZarrNode> onNode;
  private final WorkProgress progress;

  /**
   * Creates a comparison.
   *
   * @param sides names the node that an error is about
   * @param onNode is called with every node, on any thread
   * @param progress is told what is compared of each array
   */
  HierarchyDifference(
      Options options, Sides sides, Consumer<ZarrNode> onNode, WorkProgress progress) {
    this.sides = sides;
    this.progress = progress;
    this.options = options;
    this.onNode = onNode;
  }

  /** Emits the differences, each on a line or several, node after node, under demand. */
  Flux<String> lines(ZarrNode one, ZarrNode other) {
    return lines("/", one, other);
  }

  private Flux<String> lines(String name, ZarrNode one, ZarrNode other) {
    onNode.accept(one);
    onNode.accept(other);
    if (one instanceof UnreadableNode unreadable) {
      return Flux.error(sides.first().apply(unreadable.error()));
    } else if (other instanceof UnreadableNode unreadable) {
      return Flux.error(sides.second().apply(unreadable.error()));
    }
    if (one instanceof ZarrArray left && other instanceof ZarrArray right) {
      return arrays(name, left, right);
    } else if (one instanceof ZarrGroup left && other instanceof ZarrGroup right) {
      Flux<String> format = options.storage() ? format(name, one, other) : Flux.empty();
      Flux<String> own =
          Flux.concat(List.of(format, attributes(name, one.attributes(), other.attributes())));
      return Flux.concat(List.of(isChosen(name) ? own : Flux.empty(), children(name, left, right)));
    }
    return Flux.just(name + ": " + kind(one) + " in A, " + kind(other) + " in B");
  }

  private boolean isChosen(String name) {
    return options.choice().acceptsAll() || options.choice().accepts(name.substring(1));
  }

  private static String kind(ZarrNode node) {
    return node instanceof ZarrArray ? "an array" : "a group";
  }

  private Flux<String> children(String name, ZarrGroup one, ZarrGroup other) {
    return Mono.zip(byName(one).onErrorMap(sides.first()), byName(other).onErrorMap(sides.second()))
        .flatMapMany(
            both -> {
              Map<String, ZarrNode> left = both.getT1();
              Map<String, ZarrNode> right = both.getT2();
              Set<String> names = new TreeSet<>(left.keySet());
              names.addAll(right.keySet());
              return Flux.fromIterable(names)
                  .concatMap(
                      child ->
                          child(
                              (name.equals("/") ? "" : name) + "/" + child,
                              left.get(child),
                              right.get(child)),
                      0);
            });
  }

  private Flux<String> child(String name, @Nullable ZarrNode one, @Nullable ZarrNode other) {
    boolean areGroups = one instanceof ZarrGroup && other instanceof ZarrGroup;
    if (!areGroups && !isChosen(name)) {
      return Flux.empty();
    }
    if (one == null || other == null) {
      return Flux.just(name + ": only in " + (other == null ? "A" : "B"));
    }
    return lines(name, one, other);
  }

  private static Mono<Map<String, ZarrNode>> byName(ZarrGroup group) {
    return group.children().collectMap(node -> node.path().name(), node -> node, TreeMap::new);
  }

  private Flux<String> arrays(String name, ZarrArray one, ZarrArray other) {
    boolean areComparable =
        one.shape().equals(other.shape()) && one.dataType().equals(other.dataType());
    Flux<String> metadata =
        Flux.concat(
            List.of(
                field(name, "shape", one.shape(), other.shape()),
                field(name, "data type", one.dataType(), other.dataType()),
                options.bits() ? storedFillValue(name, one, other) : fillValue(name, one, other),
                field(name, "dimensions", dimensions(one), dimensions(other)),
                options.storage() ? storage(name, one, other) : Flux.empty(),
                options.bits()
                    ? attributes(name, one.attributes(), other.attributes())
                    : compareSeen(name, one, other)));
    if (!options.values()) {
      return metadata;
    }
    return areComparable
        ? Flux.concat(
            List.of(
                metadata,
                ValueDifference.lines(one, other, options, sides, progress)
                    .map(line -> line.startsWith(" ") ? line : name + ": " + line)))
        : Flux.concat(List.of(metadata, Mono.just(name + ": elements were not compared")));
  }

  private static String dimensions(ZarrNode array) {
    String names =
        array.metadata() instanceof ArrayMetadata metadata
            ? DimensionNames.of(metadata).toString()
            : "";
    return names.isEmpty() ? "unnamed" : names;
  }

  /** Compares fill values, unless a fill value of Zarr v2 only stands for missing data. */
  private static Flux<String> fillValue(String name, ZarrArray one, ZarrArray other) {
    boolean isSameFormat = one.metadata().zarrFormat() == other.metadata().zarrFormat();
    boolean isFree =
        !isSameFormat
            && (SeenMetadata.of(one).isFillValueFree() || SeenMetadata.of(other).isFillValueFree());
    return isFree || one.fillValue().equals(other.fillValue())
        ? Flux.empty()
        : field(name, "fill value", fillValue(one), fillValue(other));
  }

  private static Flux<String> storedFillValue(String name, ZarrArray one, ZarrArray other) {
    JsonValue left = one.metadata().document().get("fill_value");
    JsonValue right = other.metadata().document().get("fill_value");
    boolean isNull = left == JsonNull.NULL || right == JsonNull.NULL;
    return isNull
        ? field(name, "fill value", String.valueOf(left), String.valueOf(right))
        : one.fillValue().equals(other.fillValue())
            ? Flux.empty()
            : field(name, "fill value", fillValue(one), fillValue(other));
  }

  /** Compares what xarray sees beside the elements. */
  private static Flux<String> compareSeen(String name, ZarrArray one, ZarrArray other) {
    SeenMetadata left = SeenMetadata.of(one);
    SeenMetadata right = SeenMetadata.of(other);
    return Flux.concat(
        List.of(
            left.hasMaskOf(right)
                ? Flux.empty()
                : field(name, "missing data", left.maskText(), right.maskText()),
            attributes(name, left.attributes(), right.attributes())));
  }

  private static String fillValue(ZarrArray array) {
    return ElementText.of(array.dataType(), array.fillValue().toJson());
  }

  private static Flux<String> storage(String name, ZarrArray one, ZarrArray other) {
    ArrayMetadata left = one.metadata();
    ArrayMetadata right = other.metadata();
    return Flux.concat(
        List.of(
            format(name, one, other),
            field(name, "chunks", ChunkLayout.of(one), ChunkLayout.of(other)),
            field(name, "chunk grid", left.chunkGrid().toJson(), right.chunkGrid().toJson()),
            field(
                name,
                "chunk keys",
                left.chunkKeyEncoding().toJson(),
                right.chunkKeyEncoding().toJson()),
            left.codecs().equals(right.codecs())
                ? Flux.empty()
                : field(name, "codecs", codecs(left), codecs(right))));
  }

  private static String codecs(ArrayMetadata metadata) {
    return metadata.codecs().stream().map(codec -> codec.toJson().toString()).toList().toString();
  }

  private static Flux<String> format(String name, ZarrNode one, ZarrNode other) {
    return field(name, "format", one.metadata().zarrFormat(), other.metadata().zarrFormat());
  }

  private static Flux<String> field(String name, String field, Object one, Object other) {
    return one.equals(other)
        ? Flux.empty()
        : Flux.just(name + ": " + field + " " + one + " in A, " + other + " in B");
  }

  private static Flux<String> attributes(String name, JsonObject left, JsonObject right) {
    Set<String> names = new LinkedHashSet<>(left.members().keySet());
    names.addAll(right.members().keySet());
    return Flux.fromIterable(names)
        .filter(key -> !Objects.equals(left.get(key), right.get(key)))
        .map(key -> name + ": " + attribute(key, left.get(key), right.get(key)));
  }

  private static String attribute(String key, @Nullable JsonValue one, @Nullable JsonValue other) {
    if (one == null || other == null) {
      return "attribute " + key + " only in " + (other == null ? "A" : "B");
    }
    return "attribute " + key + " " + one + " in A, " + other + " in B";
  }
}
