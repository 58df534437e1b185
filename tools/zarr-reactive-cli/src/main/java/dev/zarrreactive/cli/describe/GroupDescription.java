package dev.zarrreactive.cli.describe;

import dev.zarrreactive.UnreadableNode;
import dev.zarrreactive.ZarrArray;
import dev.zarrreactive.ZarrGroup;
import dev.zarrreactive.ZarrNode;
import dev.zarrreactive.cli.console.Quantities;
import dev.zarrreactive.error.MetadataException;
import dev.zarrreactive.error.StoreCapabilityException;
import dev.zarrreactive.metadata.ConsolidatedMetadata;
import java.util.List;
import reactor.core.publisher.Mono;

/** A group described for people. */
public final class GroupDescription {
  private final String name;
  private final ZarrGroup group;
  private final String children;
  private final List<String> version;

  private record Children(long groups, long arrays, long unreadable) {
    Children with(ZarrNode child) {
      return new Children(
          groups + (child instanceof ZarrGroup ? 1 : 0),
          arrays + (child instanceof ZarrArray ? 1 : 0),
          unreadable + (child instanceof UnreadableNode ? 1 : 0));
    }

    private long all() {
      return groups + arrays + unreadable;
    }

    @Override
    public String toString() {
      String kinds = Quantities.plural(groups, "group") + ", " + Quantities.plural(arrays, "array");
      String rest = unreadable == 0 ? "" : ", " + unreadable + " that cannot be opened";
      return all() == 0 ? "none" : all() + " (" + kinds + rest + ")";
    }
  }

  private GroupDescription(String name, ZarrGroup group, String children, List<String> version) {
    this.name = name;
    this.group = group;
    this.children = children;
    this.version = version;
  }

  /**
   * Describes {@code group}, and counts its children if the store can list them.
   *
   * @param name the group in the user's words
   * @param version of the repository that the group is in, in words, or nothing
   */
  public static Mono<GroupDescription> of(String name, ZarrGroup group, List<String> version) {
    return group
        .children()
        .reduce(new Children(0, 0, 0), Children::with)
        .map(Children::toString)
        .onErrorReturn(
            StoreCapabilityException.class,
            "unknown: the store cannot list, and consolidated metadata are "
                + (group.metadata().consolidatedProblem() == null ? "missing" : "broken"))
        .map(children -> new GroupDescription(name, group, children, version));
  }

  /** Returns the description, on several lines. */
  public String text(boolean colour) {
    FieldTable fields =
        new FieldTable(colour)
            .field("group", name)
            .field("version", version)
            .format(group.metadata())
            .field("children", children);
    ConsolidatedMetadata consolidated = group.metadata().consolidated();
    MetadataException problem = group.metadata().consolidatedProblem();
    if (consolidated != null) {
      fields.field(
          "consolidated", "metadata of " + Quantities.plural(consolidated.paths().size(), "node"));
    }
    if (problem != null) {
      String use = consolidated == null ? "not used: " : "broken in part: ";
      fields.field("consolidated", use + problem.getMessage());
    }
    Multiscales.addTo(fields, group);
    return fields.attributes(group.attributes()).toString();
  }
}
