package dev.zarrreactive.copy;

import dev.zarrreactive.ZarrArray;
import dev.zarrreactive.ZarrNode;
import dev.zarrreactive.array.selection.DimensionSelection;
import dev.zarrreactive.array.selection.Selection;
import dev.zarrreactive.internal.copying.PathGlobs;
import dev.zarrreactive.metadata.DimensionNames;
import dev.zarrreactive.metadata.NodePath;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The part of the source that is copied.
 *
 * @param from the node whose tree is copied
 * @param selection the elements of an array; null for all
 * @param dimensions of every array with a dimension of one of these names, its indices
 * @param include globs of the nodes below that are copied; none for all
 * @param exclude globs of the nodes below that are left out
 */
record NodeChoice(
    NodePath from,
    @Nullable Selection selection,
    Map<String, DimensionSelection> dimensions,
    List<String> include,
    List<String> exclude) {
  /** The nodes that are copied, and those that are left out without an ancestor that is. */
  record Chosen(List<ZarrNode> nodes, List<NodePath> omitted) {}

  /**
   * Chooses among all nodes of the source. The root is always chosen, and so are the groups above a
   * chosen node.
   *
   * @param nodes the root first, and each node before those below it
   * @throws IllegalArgumentException if a glob to include matches none of them
   */
  Chosen choose(List<ZarrNode> nodes) {
    if (include.isEmpty() && exclude.isEmpty()) {
      checkDimensions(nodes);
      return new Chosen(nodes, List.of());
    }
    PathGlobs globs = new PathGlobs(include, exclude);
    checkUsed(nodes);
    Set<NodePath> chosen = new HashSet<>(Set.of(from));
    for (ZarrNode node : nodes) {
      String path = from.relativize(node.path());
      if (globs.accepts(path)) {
        chosen.add(node.path());
        chosen.addAll(node.path().ancestors());
      }
    }
    List<ZarrNode> kept = new ArrayList<>();
    List<NodePath> omitted = new ArrayList<>();
    for (ZarrNode node : nodes) {
      if (chosen.contains(node.path())) {
        kept.add(node);
      } else if (chosen.contains(node.path().parent())) {
        omitted.add(node.path());
      }
    }
    checkDimensions(kept);
    return new Chosen(List.copyOf(kept), List.copyOf(omitted));
  }

  /** Returns what is copied of an array; null for all of it. */
  @Nullable Selection of(ZarrArray array) {
    List<@Nullable String> names = DimensionNames.of(array.metadata()).names();
    if (selection != null || names.stream().noneMatch(this::isCut)) {
      return selection;
    }
    DimensionSelection[] parts = new DimensionSelection[names.size()];
    Arrays.setAll(
        parts,
        d -> {
          String name = names.get(d);
          return isCut(name) ? dimensions.get(name) : DimensionSelection.full();
        });
    return Selection.of(parts);
  }

  private boolean isCut(@Nullable String dimension) {
    return dimension != null && dimensions.containsKey(dimension);
  }

  /**
   * Refuses a dimension that no array has, or of which two arrays have different extents.
   *
   * @throws IllegalArgumentException for one
   */
  private void checkDimensions(List<ZarrNode> nodes) {
    if (dimensions.isEmpty()) {
      return;
    }
    Map<String, ZarrArray> first = new TreeMap<>();
    Set<String> all = new TreeSet<>();
    for (ZarrNode node : nodes) {
      if (node instanceof ZarrArray array) {
        List<@Nullable String> names = DimensionNames.of(array.metadata()).names();
        for (int d = 0; d < names.size(); d++) {
          String name = names.get(d);
          if (name != null) {
            all.add(name);
            checkExtent(name, first.computeIfAbsent(name, any -> array), array, d);
          }
        }
      }
    }
    for (String name : dimensions.keySet()) {
      if (!all.contains(name)) {
        throw new IllegalArgumentException(
            "no array of the copy has the dimension "
                + name
                + (all.isEmpty()
                    ? "; their dimensions have no names"
                    : "; there are " + String.join(", ", all)));
      }
    }
  }

  private void checkExtent(String name, ZarrArray one, ZarrArray other, int axis) {
    long extent = one.shape().extent(DimensionNames.of(one.metadata()).names().indexOf(name));
    if (dimensions.containsKey(name) && extent != other.shape().extent(axis)) {
      throw new IllegalArgumentException(
          "the dimension "
              + name
              + " has the extent "
              + extent
              + " in "
              + one.path()
              + ", and "
              + other.shape().extent(axis)
              + " in "
              + other.path()
              + "; leave one of them out, or copy them one by one");
    }
  }

  private void checkUsed(List<ZarrNode> nodes) {
    for (String glob : include) {
      PathGlobs one = new PathGlobs(List.of(glob), List.of());
      if (nodes.stream().noneMatch(node -> one.accepts(from.relativize(node.path())))) {
        throw new IllegalArgumentException(
            "no node below "
                + from
                + " matches \""
                + glob
                + "\"; * stands for a part of a name, ** for any number of names");
      }
    }
  }
}
