package dev.zarrreactive.cli.command;

import dev.zarrreactive.ZarrGroup;
import dev.zarrreactive.cli.location.CopyPlace;
import dev.zarrreactive.cli.location.LocationText;
import dev.zarrreactive.cli.location.NodeLocation;
import dev.zarrreactive.cli.location.NodePlace;
import dev.zarrreactive.cli.options.CommitOption;
import dev.zarrreactive.error.NodeNotFoundException;
import dev.zarrreactive.metadata.NodePath;
import dev.zarrreactive.ome.OmeGap;
import dev.zarrreactive.store.StoreOptions;
import java.util.List;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** A command on the node at a path, which a subclass takes from the command line. */
public abstract class LocatedOperation extends Subcommand {
  /** The most gaps of an image or a plate that are named. */
  private static final int MOST_GAPS = 10;

  /** Returns the path as the user wrote it. */
  protected abstract String path();

  @Override
  protected String subject() {
    return LocationText.shown(path());
  }

  /** Returns the location of the node as one of the hierarchy that it lies in, for a change. */
  protected final NodeLocation locationInHierarchy() {
    return watched(path(), NodeLocation.inHierarchy(path(), command().drafts(), changedOptions()));
  }

  /** Returns the options of a store that the command changes. */
  private StoreOptions changedOptions() {
    StoreOptions options = command().storeSettings(spec()).checkedFor(path()).of(path());
    CommitOption commit = commit();
    return commit == null ? options : commit.of(options, path(), spec());
  }

  /** Returns the message of the commit that the command makes; null where it makes none. */
  protected @Nullable CommitOption commit() {
    return null;
  }

  /** Returns the location of the node for its erasure. */
  protected final NodeLocation locationForErasure() {
    return watched(path(), NodeLocation.forErasure(path(), command().drafts(), changedOptions()));
  }

  /**
   * Returns the location of the node as one of the hierarchy that it lies in, where arrays beside
   * it may be needed; else that of the node. Looks at files, so it may block.
   */
  protected final NodeLocation location(boolean inHierarchy) {
    return inHierarchy ? locationInHierarchy() : location();
  }

  /** Returns the location of another node in the group of this one. */
  protected final NodeLocation sibling(String name) {
    String text = LocationText.sibling(path(), name);
    return location(text, command().storeSettings(spec()).of(text));
  }

  /** Returns the location of the node. */
  protected final NodeLocation location() {
    return location(path(), command().storeSettings(spec()).checkedFor(path()).of(path()));
  }

  /** Returns the location of the node, for a change. */
  protected final NodeLocation changedLocation() {
    return location(path(), changedOptions());
  }

  /**
   * Warns of levels, images and wells of OME-Zarr that cannot be opened.
   *
   * @param group the path of the group that names them
   */
  protected final void warn(NodePath group, List<OmeGap> gaps) {
    for (OmeGap gap : gaps.subList(0, Math.min(MOST_GAPS, gaps.size()))) {
      String below = group.contains(gap.path()) ? group.relativize(gap.path()) : "";
      warn(
          subject()
              + (below.isEmpty() ? "" : "/" + below)
              + (gap.error() instanceof NodeNotFoundException
                  ? " is missing, and left out"
                  : " cannot be opened, and is left out: " + gap.error().statement()));
    }
    if (gaps.size() > MOST_GAPS) {
      warn(subject() + ": left out " + (gaps.size() - MOST_GAPS) + " more");
    }
  }

  /** Writes the consolidated metadata of groups that had some before a change, one by one. */
  protected static Mono<Void> consolidate(NodePlace place, List<NodePath> groups) {
    return Flux.fromIterable(groups)
        .concatMap(
            path -> place.hierarchy().openGroup(path.value()).flatMap(ZarrGroup::consolidate), 0)
        .then();
  }

  /** Returns the location of the group of the node as one of the hierarchy that it lies in. */
  protected final NodeLocation groupInHierarchy() {
    String group = LocationText.parent(path());
    return watched(group, NodeLocation.inHierarchy(group, command().drafts(), changedOptions()));
  }

  /** Emits the paths of the groups above that have consolidated metadata, the root first. */
  protected final Mono<List<NodePath>> consolidatedPathsAbove(NodePlace place) {
    return new CopyPlace(place.hierarchy().store(), place.node(), "").consolidatedPathsAbove();
  }

  /** Emits the groups above whose consolidated metadata a change of the node removes. */
  protected final Mono<List<String>> consolidatedGroupsAbove(NodePlace place) {
    String end = "/" + place.node();
    String root =
        subject().endsWith(end)
            ? subject().substring(0, subject().length() - end.length())
            : place.hierarchy().store().toString();
    return new CopyPlace(place.hierarchy().store(), place.node(), root).consolidatedGroupsAbove();
  }
}
