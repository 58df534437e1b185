package dev.zarrreactive.cli.describe;

import dev.zarrreactive.UnreadableNode;
import dev.zarrreactive.ZarrArray;
import dev.zarrreactive.ZarrGroup;
import dev.zarrreactive.ZarrNode;
import dev.zarrreactive.cf.CfRule;
import dev.zarrreactive.cli.console.Printable;
import dev.zarrreactive.cli.console.Style;
import dev.zarrreactive.dataset.Dataset;
import dev.zarrreactive.error.MetadataException;
import dev.zarrreactive.internal.copying.PathGlobs;
import dev.zarrreactive.internal.flow.Concurrently;
import dev.zarrreactive.json.JsonString;
import dev.zarrreactive.json.JsonValue;
import dev.zarrreactive.metadata.DimensionNames;
import dev.zarrreactive.metadata.NodePath;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;

/**
 * The header of a hierarchy, as {@code ncdump -h} shows that of a file: for each group its
 * dimensions, its arrays, and the attributes of both.
 */
public final class HierarchyHeader {
  /** The number of groups that are listed at a time. */
  private static final int CONCURRENCY = 8;

  /** The columns that stay on a narrow terminal: name, type and shape. */
  private static final int KEPT = 3;

  private static final String UNITS = "units";
  private static final String INDENT = "  ";

  private final boolean colour;
  private final int columns;
  private final PathGlobs choice;
  private final Consumer<ZarrNode> onNode;

  /**
   * Creates a header.
   *
   * @param columns the longest line of an attribute, and of a table unless it has few columns
   * @param choice of the nodes below the root; a group without a chosen array is left out
   * @param onNode is called with every node that is shown, on any thread
   */
  public HierarchyHeader(boolean colour, int columns, PathGlobs choice, Consumer<ZarrNode> onNode) {
    this.colour = colour;
    this.columns = columns;
    this.choice = choice;
    this.onNode = onNode;
  }

  /**
   * Emits the lines of {@code root} and the nodes below it, group after group, under demand.
   *
   * @param name the name of the root
   */
  public Flux<String> lines(String name, ZarrNode root) {
    return root instanceof ZarrGroup group
        ? group(name, group, group.path()).skipWhile(String::isEmpty)
        : Flux.fromIterable(block("array " + name, List.of(seen(root)), null));
  }

  private Flux<String> group(String name, ZarrGroup group, NodePath root) {
    onNode.accept(group);
    return group
        .children()
        .collectSortedList(Comparator.comparing(ZarrNode::path))
        .flatMapMany(
            children ->
                Flux.concat(
                    List.of(
                        Flux.fromIterable(block(name, group, children, root)),
                        below(name, children, root))));
  }

  private Flux<String> below(String name, List<ZarrNode> children, NodePath root) {
    return Concurrently.mapInOrder(
        Flux.fromIterable(children).ofType(ZarrGroup.class),
        CONCURRENCY,
        child -> group(name + "/" + child.path().name(), child, root));
  }

  private List<String> block(String name, ZarrGroup group, List<ZarrNode> children, NodePath root) {
    List<ZarrNode> arrays =
        children.stream()
            .filter(node -> !(node instanceof ZarrGroup))
            .filter(node -> choice.accepts(root.relativize(node.path())))
            .toList();
    arrays.forEach(onNode);
    if (arrays.isEmpty() && !choice.acceptsAll()) {
      return List.of();
    }
    List<String> lines = new ArrayList<>(List.of(""));
    lines.addAll(block("group " + name, arrays, coordinates(group, arrays)));
    Multiscales.levels(group).forEach(line -> lines.add(Printable.of(INDENT + line)));
    addAttributes(lines, group, "");
    arrays.forEach(array -> addAttributes(lines, array, array.path().name()));
    return lines;
  }

  private ZarrNode seen(ZarrNode node) {
    onNode.accept(node);
    return node;
  }

  /** Returns the names of the coordinates; empty for arrays that are no dataset. */
  private static String coordinates(ZarrGroup group, List<ZarrNode> arrays) {
    try {
      return String.join(", ", Dataset.of(group, arrays, CfRule.all()).coordinates().keySet());
    } catch (MetadataException e) { // arrays do not agree about the extents of dimensions
      return "";
    }
  }

  /**
   * Returns the title, the dimensions and the table of the arrays.
   *
   * @param coordinates the names of coordinates; null for an array without a group
   */
  private List<String> block(String title, List<ZarrNode> arrays, @Nullable String coordinates) {
    List<String> lines = new ArrayList<>();
    lines.add(Style.HEADING.of(Printable.of(title), colour));
    String dimensions = dimensions(arrays);
    if (!dimensions.isEmpty()) {
      lines.addAll(wrapped("dimensions: " + dimensions));
    }
    if (coordinates != null && !coordinates.isEmpty()) {
      lines.addAll(wrapped("coordinates: " + coordinates));
    }
    List<List<String>> rows = arrays.stream().map(HierarchyHeader::row).toList();
    lines.addAll(new TextColumns(colour).fitted(rows, INDENT, KEPT, columns));
    if (coordinates == null) {
      arrays.forEach(array -> addAttributes(lines, array, array.path().name()));
    }
    return lines;
  }

  private List<String> wrapped(String names) {
    return TextColumns.wrapped(INDENT + Printable.of(names), INDENT + INDENT, columns);
  }

  /** Returns the named dimensions with their extents; all extents if arrays do not agree. */
  private static String dimensions(List<ZarrNode> arrays) {
    Map<String, List<Long>> extents = new LinkedHashMap<>();
    for (ZarrNode node : arrays) {
      if (node instanceof ZarrArray array) {
        List<@Nullable String> names = DimensionNames.of(array.metadata()).names();
        for (int d = 0; d < names.size(); d++) {
          String name = names.get(d);
          long extent = array.shape().extent(d);
          if (name != null) {
            List<Long> found = extents.computeIfAbsent(name, none -> new ArrayList<>());
            if (!found.contains(extent)) {
              found.add(extent);
            }
          }
        }
      }
    }
    List<String> texts = new ArrayList<>();
    extents.forEach(
        (name, found) ->
            texts.add(
                name + " = " + String.join(" or ", found.stream().map(String::valueOf).toList())));
    return String.join(", ", texts);
  }

  private static List<String> row(ZarrNode node) {
    if (node instanceof ZarrArray array) {
      return List.of(
          node.path().name(),
          array.dataType().toString(),
          array.shape().toString(),
          DimensionNames.of(array.metadata()).toString(),
          array.attributes().get(UNITS) instanceof JsonString units ? units.value() : "",
          "chunks " + ChunkLayout.of(array));
    }
    return List.of(
        node.path().name(),
        "cannot be opened: "
            + (node instanceof UnreadableNode unreadable ? unreadable.error().statement() : ""));
  }

  /** Adds a line for each attribute that the table does not show. */
  private void addAttributes(List<String> lines, ZarrNode node, String name) {
    node.attributes()
        .members()
        .forEach(
            (key, value) -> {
              if (!(node instanceof ZarrArray array && isInTable(array, key, value))) {
                lines.add(attribute(name, key, value));
              }
            });
  }

  private static boolean isInTable(ZarrArray array, String key, JsonValue value) {
    return key.equals(UNITS)
        ? value instanceof JsonString
        : key.equals(DimensionNames.ATTRIBUTE)
            && DimensionNames.of(array.metadata()).areInAttributes();
  }

  private String attribute(String name, String key, JsonValue value) {
    return Printable.cut(Printable.of(INDENT + name + ":" + key + " = " + value), columns);
  }
}
