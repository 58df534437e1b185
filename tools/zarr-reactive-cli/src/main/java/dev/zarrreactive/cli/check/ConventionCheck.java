package dev.zarrreactive.cli.check;

import dev.zarrreactive.ZarrGroup;
import dev.zarrreactive.ZarrNode;
import dev.zarrreactive.convention.ConventionProblem;
import dev.zarrreactive.convention.ZarrConventions;
import dev.zarrreactive.ome.OmeMetadata;
import dev.zarrreactive.ome.OmeProblem;
import java.util.ArrayList;
import java.util.List;

/**
 * The rules of conventions that the attributes of a node break: of OME-Zarr, and of those that
 * {@code zarr_conventions} declares. They are warnings: the elements can be read.
 */
final class ConventionCheck {
  private static final int MOST = 20;

  private ConventionCheck() {}

  /** Returns a line for each broken rule, with its place. */
  static List<String> of(ZarrNode node) {
    List<String> lines = new ArrayList<>();
    if (node instanceof ZarrGroup group) {
      OmeMetadata ome = OmeMetadata.of(group);
      if (ome.isOme()) {
        for (OmeProblem problem : ome.problems()) {
          lines.add(node.path() + ": OME-Zarr: " + problem);
        }
      }
    }
    for (ConventionProblem problem : ZarrConventions.problems(node)) {
      lines.add(node.path() + ": conventions: " + problem);
    }
    return lines.size() <= MOST
        ? lines
        : concat(lines.subList(0, MOST), node.path() + ": and " + (lines.size() - MOST) + " more");
  }

  private static List<String> concat(List<String> lines, String last) {
    List<String> all = new ArrayList<>(lines);
    all.add(last);
    return all;
  }
}
