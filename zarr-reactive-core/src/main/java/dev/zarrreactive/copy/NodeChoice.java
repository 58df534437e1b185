package dev.zarrreactive.copy;

import dev.zarrreactive.ZarrNode;
import dev.zarrreactive.array.selection.Selection;
import dev.zarrreactive.metadata.NodePath;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
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
  static final NodeChoice ALL = new NodeChoice(NodePath.ROOT, null, List.of(), List.of());

  NodeChoice withFrom(NodePath path) {
    return new NodeChoice(path, selection, include, exclude);
  }

  NodeChoice withSelection(Selection elements) {
    return new NodeChoice(from, elements, include, exclude);
  }

  NodeChoice withIncluded(List<String> globs) {
    return new NodeChoice(from, selection, joined(include, globs), exclude);
  }

  NodeChoice withExcluded(List<String> globs) {
    return new NodeChoice(from, selection, include, joined(exclude, globs));
  }

  private static List<String> joined(List<String> some, List<String> others) {
    List<String> all = new ArrayList<>(some);
    all.addAll(others);
    return List.copyOf(all);
  }

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
    List<Pattern> wanted = include.stream().map(NodeChoice::pattern).toList();
    List<Pattern> unwanted = exclude.stream().map(NodeChoice::pattern).toList();
    checkUsed(nodes, wanted);
    Set<NodePath> chosen = new HashSet<>(Set.of(from));
    for (ZarrNode node : nodes) {
      String path = from.relativize(node.path());
      if (!matches(unwanted, path) && (wanted.isEmpty() || matches(wanted, path))) {
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

  private void checkUsed(List<ZarrNode> nodes, List<Pattern> wanted) {
    for (int i = 0; i < wanted.size(); i++) {
      List<Pattern> one = List.of(wanted.get(i));
      if (nodes.stream().noneMatch(node -> matches(one, from.relativize(node.path())))) {
        throw new IllegalArgumentException(
            "no node below "
                + from
                + " matches \""
                + include.get(i)
                + "\"; * stands for a part of a name, ** for any number of names");
      }
    }
  }

  /** Returns whether a pattern matches a path, or one of its ancestors below the root. */
  private static boolean matches(List<Pattern> patterns, String path) {
    for (int end = path.length(); end > 0; end = path.lastIndexOf('/', end - 1)) {
      String above = path.substring(0, end);
      if (patterns.stream().anyMatch(pattern -> pattern.matcher(above).matches())) {
        return true;
      }
    }
    return false;
  }

  private static Pattern pattern(String glob) {
    StringBuilder regex = new StringBuilder();
    String text = glob.replaceAll("^/+|/+$", "");
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (text.startsWith("**/", i)) {
        regex.append("(?:.*/)?");
        i += 2;
      } else if (text.startsWith("**", i)) {
        regex.append(".*");
        i++;
      } else if (c == '*' || c == '?') {
        regex.append(c == '*' ? "[^/]*" : "[^/]");
      } else {
        regex.append(Pattern.quote(String.valueOf(c)));
      }
    }
    return Pattern.compile(regex.toString(), Pattern.DOTALL);
  }
}
