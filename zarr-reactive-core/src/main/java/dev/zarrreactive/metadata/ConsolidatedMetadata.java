package dev.zarrreactive.metadata;

import dev.zarrreactive.json.JsonString;
import dev.zarrreactive.json.LocatedJson;
import java.util.Collections;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The metadata of all nodes below a group, kept in the group's own document (specification:
 * "Consolidated metadata"). A cache: it may be stale.
 */
public final class ConsolidatedMetadata {
  private final SortedMap<String, LocatedJson> entries = new TreeMap<>();

  private ConsolidatedMetadata() {}

  /**
   * Reads the member {@code consolidated_metadata}. The entries' paths are checked now, their
   * documents when somebody asks for them. Null where it is of a kind that nobody knows here.
   */
  static @Nullable ConsolidatedMetadata read(LocatedJson json) {
    LocatedJson kind = json.optional("kind");
    if (kind == null || !kind.value().equals(new JsonString("inline"))) {
      return null;
    }
    ConsolidatedMetadata result = new ConsolidatedMetadata();
    json.member("metadata").members().forEach(result::add);
    result.entries.forEach(result::checkParent);
    return result;
  }

  private void add(String path, LocatedJson document) {
    // Some programs write a leading slash, although the paths are relative.
    String relative = path.startsWith("/") ? path.substring(1) : path;
    try {
      NodePath.ROOT.resolve(relative);
    } catch (IllegalArgumentException e) {
      throw document.error("not the path of a node below the group: " + e.getMessage());
    }
    document.member("node_type").oneOf("array", "group");
    if (relative.isEmpty() || entries.put(relative, document) != null) {
      throw document.error("the path \"" + path + "\" is empty or stands twice");
    }
  }

  private void checkParent(String path, LocatedJson document) {
    int end = path.lastIndexOf('/');
    LocatedJson parent = end < 0 ? null : entries.get(path.substring(0, end));
    if (end >= 0 && (parent == null || !parent.member("node_type").string().equals("group"))) {
      throw document.error("the node \"" + path + "\" has no group as its parent");
    }
  }

  /** The paths of the nodes, relative to the group, without leading slash, sorted. */
  public Set<String> paths() {
    return Collections.unmodifiableSet(entries.keySet());
  }

  /**
   * The metadata of the node at {@code path}; null where there is none.
   *
   * @throws dev.zarrreactive.error.MetadataException where its document breaks a rule
   */
  public @Nullable NodeMetadata get(String path) {
    LocatedJson document = entries.get(path);
    return document == null ? null : MetadataReader.read(document);
  }
}
