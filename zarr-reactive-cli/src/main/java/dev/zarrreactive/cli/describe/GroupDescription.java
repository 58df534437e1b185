package dev.zarrreactive.cli.describe;

import dev.zarrreactive.ZarrArray;
import dev.zarrreactive.ZarrGroup;
import dev.zarrreactive.cli.console.Quantities;
import dev.zarrreactive.metadata.ConsolidatedMetadata;
import reactor.core.publisher.Mono;

/** A group described for people. */
public final class GroupDescription {
  private final String name;
  private final ZarrGroup group;
  private final Children children;

  private record Children(long groups, long arrays) {
    Children with(boolean isArray) {
      return isArray ? new Children(groups, arrays + 1) : new Children(groups + 1, arrays);
    }

    @Override
    public String toString() {
      return groups + arrays == 0
          ? "none"
          : groups
              + arrays
              + " ("
              + Quantities.plural(groups, "group")
              + ", "
              + Quantities.plural(arrays, "array")
              + ")";
    }
  }

  private GroupDescription(String name, ZarrGroup group, Children children) {
    this.name = name;
    this.group = group;
    this.children = children;
  }

  /**
   * A description of {@code group}, whose children are counted.
   *
   * @param name how the user calls it
   */
  public static Mono<GroupDescription> of(String name, ZarrGroup group) {
    return group
        .children()
        .reduce(new Children(0, 0), (count, child) -> count.with(child instanceof ZarrArray))
        .map(children -> new GroupDescription(name, group, children));
  }

  /** The description, on several lines. */
  public String text(boolean colour) {
    Fields fields =
        new Fields(colour)
            .field("group", name)
            .field("format", Format.of(group.metadata()))
            .field("children", children.toString());
    ConsolidatedMetadata consolidated = group.metadata().consolidated();
    if (consolidated != null) {
      fields.field(
          "consolidated", "metadata of " + Quantities.plural(consolidated.paths().size(), "node"));
    }
    return fields.attributes(group.attributes()).toString();
  }
}
