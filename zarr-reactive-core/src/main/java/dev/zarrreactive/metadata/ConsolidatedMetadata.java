package dev.zarrreactive.metadata;

import dev.zarrreactive.error.ZarrException;
import dev.zarrreactive.json.JsonObject;
import dev.zarrreactive.json.JsonString;
import dev.zarrreactive.json.JsonValue;
import dev.zarrreactive.json.LocatedJson;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The metadata of all nodes below a group in one document. For Zarr v3 it is the group's own
 * document (specification: "Consolidated metadata"), for Zarr v2 a {@code .zmetadata} beside it.
 * Like any cache, it may be stale.
 */
public final class ConsolidatedMetadata {
  /** The name of the member of a group's document. */
  public static final String MEMBER = "consolidated_metadata";

  private static final String INLINE = "inline";

  private final SortedMap<String, Entry> entries = new TreeMap<>();
  private final Map<String, List<String>> children = new HashMap<>();

  /** One node: the place of its document, and the function that reads it on access. */
  record Entry(
      LocatedJson document,
      boolean isGroup,
      Supplier<NodeMetadata> metadata,
      Function<ZarrException, UnreadableMetadata> unreadable) {}

  private ConsolidatedMetadata() {}

  /**
   * Reads the member {@code consolidated_metadata}. Paths are checked at once, documents on access.
   * Returns null for an unknown kind of consolidated metadata.
   *
   * @param drafts the drafts that the documents may follow
   * @param limits the limits of the number of nodes, and of the rank of arrays
   */
  static @Nullable ConsolidatedMetadata read(
      LocatedJson json, Drafts drafts, MetadataLimits limits) {
    LocatedJson kind = json.optional("kind");
    if (kind == null || !kind.value().equals(new JsonString(INLINE))) {
      return null;
    }
    ConsolidatedMetadata result = new ConsolidatedMetadata();
    LocatedJson documents = json.member("metadata");
    limits.checkNodes(documents, documents.object().members().size());
    documents.forEachMember((path, node) -> result.add(path, node, drafts, limits));
    result.connect();
    return result;
  }

  private void add(String path, LocatedJson document, Drafts drafts, MetadataLimits limits) {
    // Some programs write a leading slash, although the paths are relative.
    String relative = path.startsWith("/") ? path.substring(1) : path;
    add(relative, entry(ofNode(relative, document), drafts, limits));
  }

  /** Returns the document with its node's path as its place, instead of the group's. */
  static LocatedJson ofNode(String path, LocatedJson document) {
    return document.at(
        place -> {
          String group = place.nodePath();
          return place.node((group == null || group.equals("/") ? "" : group) + "/" + path);
        });
  }

  private static Entry entry(LocatedJson document, Drafts drafts, MetadataLimits limits) {
    return new Entry(
        document,
        document.member("node_type").oneOf("array", "group").equals("group"),
        () -> MetadataReader.read(document, drafts, limits),
        error -> UnreadableMetadata.of(document.object(), error));
  }

  /** Reads a {@code .zmetadata}, like {@link #read}. */
  static @Nullable ConsolidatedMetadata readV2(LocatedJson zmetadata, MetadataLimits limits) {
    Map<String, Entry> found = V2Consolidated.read(zmetadata, limits);
    if (found == null) {
      return null;
    }
    ConsolidatedMetadata result = new ConsolidatedMetadata();
    found.forEach(result::add);
    result.connect();
    return result;
  }

  private void add(String path, Entry entry) {
    LocatedJson document = entry.document();
    try {
      NodePath.ROOT.resolve(path);
    } catch (IllegalArgumentException e) {
      throw document.error("invalid path of a node below the group: " + e.getMessage());
    }
    if (path.isEmpty() || entries.put(path, entry) != null) {
      throw document.error("the path \"" + path + "\" is empty or a duplicate");
    }
  }

  /** Adds every node to the children of its parent. */
  private void connect() {
    entries.forEach(
        (path, entry) -> {
          int end = Math.max(0, path.lastIndexOf('/'));
          Entry parent = entries.get(path.substring(0, end));
          if (end > 0 && (parent == null || !parent.isGroup())) {
            throw entry.document().error("the node \"" + path + "\" has no group as its parent");
          }
          children.computeIfAbsent(path.substring(0, end), p -> new ArrayList<>()).add(path);
        });
  }

  /** The paths of the nodes, relative to the group, without leading slash, sorted. */
  public Set<String> paths() {
    return Collections.unmodifiableSet(entries.keySet());
  }

  /**
   * The paths of the nodes directly below one of the groups, sorted.
   *
   * @param path the group's path; empty for the group whose metadata this is
   */
  public List<String> children(String path) {
    return Collections.unmodifiableList(children.getOrDefault(path, List.of()));
  }

  /**
   * The metadata of the node at {@code path}, or null if they are missing.
   *
   * @throws dev.zarrreactive.error.ZarrException if its document breaks a rule, or has an unknown
   *     name
   */
  public @Nullable NodeMetadata get(String path) {
    Entry entry = entries.get(path);
    return entry == null ? null : entry.metadata().get();
  }

  /** Returns the metadata like {@link #get}, but {@link UnreadableMetadata} instead of an error. */
  public @Nullable NodeMetadata look(String path) {
    Entry entry = entries.get(path);
    if (entry == null) {
      return null;
    }
    try {
      return entry.metadata().get();
    } catch (ZarrException e) {
      return entry.unreadable().apply(e);
    }
  }

  /**
   * Returns the member {@code consolidated_metadata} of a group with these nodes below it. The
   * groups among them lose the consolidated metadata of their own.
   */
  static JsonObject write(Map<String, NodeMetadata> nodes) {
    Map<String, JsonValue> documents = new LinkedHashMap<>();
    nodes.forEach((path, node) -> documents.put(path, node.document().without(MEMBER)));
    return JsonObject.EMPTY
        .with("kind", INLINE)
        .with("must_understand", false)
        .with("metadata", new JsonObject(documents));
  }
}
