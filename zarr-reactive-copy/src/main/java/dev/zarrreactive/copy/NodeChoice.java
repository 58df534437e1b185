package dev.zarrreactive.copy;

import dev.zarrreactive.ZarrNode;
import dev.zarrreactive.array.selection.Selection;
import dev.zarrreactive.internal.copying.PathGlobs;
import dev.zarrreactive.metadata.NodePath;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The part of the source that is copied.
 *
 * @param from the node whose tree is copied
 * @param selection the elements of an array; null for all
 * @param include globs of the nodes below that are copied; none for all
 * @param exclude globs of the nodes below that are left out
 */
record NodeChoice(
    NodePath from, @Nullable Selection selection, List<String> include, List<String> exclude) {
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
    return new Chosen(List.copyOf(kept), List.copyOf(omitted));
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
