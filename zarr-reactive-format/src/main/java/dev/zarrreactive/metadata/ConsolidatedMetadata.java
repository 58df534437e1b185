package dev.zarrreactive.metadata;

import dev.zarrreactive.error.Leniency;
import dev.zarrreactive.error.MetadataException;
import dev.zarrreactive.error.ZarrException;
import dev.zarrreactive.internal.metadata.Tokens;
import dev.zarrreactive.json.JsonObject;
import dev.zarrreactive.json.JsonString;
import dev.zarrreactive.json.JsonValue;
import dev.zarrreactive.json.LocatedJson;
import dev.zarrreactive.spi.Spi;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.Iterator;
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
 * Like any cache, it may be stale. An entry that cannot be used is left out, see {@link #problems}.
 */
@Spi
public final class ConsolidatedMetadata {
  /** The name of the member of a group's document. */
  public static final String MEMBER = "consolidated_metadata";

  private static final String INLINE = "inline";

  private static final int MOST_PROBLEMS = 100;

  private final SortedMap<String, Entry> entries = new TreeMap<>();
  private final Map<String, List<String>> children = new HashMap<>();
  private final List<MetadataException> problems = new ArrayList<>();

  /** One node: the place of its document, and the function that reads it on access. */
  record Entry(
      LocatedJson document,
      boolean isGroup,
      Supplier<NodeMetadata> metadata,
      Function<ZarrException, UnreadableMetadata> unreadable) {}

  private ConsolidatedMetadata() {}

  /**
   * Reads the member {@code consolidated_metadata}. Paths are checked at once, documents on access.
   *
   * @param leniencies of the group; the drafts that it accepts count for the nodes, too
   * @param limits the limits of the number of nodes, and of the rank of arrays
   * @throws MetadataException if none of it can be used
   */
  static ConsolidatedMetadata read(LocatedJson json, Leniencies leniencies, MetadataLimits limits) {
    json.member("kind").oneOf(INLINE);
    ConsolidatedMetadata result = new ConsolidatedMetadata();
    LocatedJson documents = json.member("metadata");
    limits.checkNodes(documents, documents.object().members().size());
    documents.forEachMember(
        (path, node) -> {
          String relative = path;
          if (path.startsWith("/")) {
            leniencies.noteOnce(
                Leniency.SLASH_IN_CONSOLIDATED_METADATA,
                node,
                "a path in the consolidated metadata begins with a slash");
            relative = path.substring(1);
          }
          LocatedJson document = ofNode(relative, node);
          result.add(relative, entry(relative, document, leniencies, limits));
        });
    result.connect();
    return result;
  }

  /** Returns the document with its node's path as its place, instead of the group's. */
  static LocatedJson ofNode(String path, LocatedJson document) {
    return document.at(
        place -> {
          String group = place.nodePath();
          return place.node((group == null || group.equals("/") ? "" : group) + "/" + path);
        });
  }

  private static Entry entry(
      String path, LocatedJson document, Leniencies leniencies, MetadataLimits limits) {
    Drafts drafts = leniencies.drafts();
    boolean hasTokens = leniencies.has(Leniency.TOKEN_IN_CONSOLIDATED_METADATA);
    JsonObject object = document.value() instanceof JsonObject members ? members : JsonObject.EMPTY;
    return new Entry(
        document,
        new JsonString("group").equals(object.get("node_type")),
        () -> {
          document.object();
          MetadataReader.checkNames(NodePath.of(path), document);
          if (hasTokens) {
            Tokens.check(document);
          }
          return MetadataReader.read(document, new Leniencies(Draft.OF_2023, drafts), limits, null);
        },
        error -> UnreadableMetadata.of(object, error));
  }

  /** Reads a {@code .zmetadata}, like {@link #read}. */
  static ConsolidatedMetadata readV2(
      LocatedJson zmetadata, Leniencies leniencies, MetadataLimits limits) {
    boolean hasTokens = leniencies.has(Leniency.TOKEN_IN_CONSOLIDATED_METADATA);
    ConsolidatedMetadata result = new ConsolidatedMetadata();
    V2Consolidated.read(zmetadata, hasTokens, limits).forEach(result::add);
    result.connect();
    return result;
  }

  private void add(String path, Entry entry) {
    LocatedJson document = entry.document();
    try {
      NodePath.ROOT.resolve(path);
    } catch (IllegalArgumentException e) {
      leaveOut(document, "invalid path of a node below the group: " + e.getMessage());
      return;
    }
    if (path.isEmpty() || entries.putIfAbsent(path, entry) != null) {
      leaveOut(document, "the path \"" + path + "\" is empty or a duplicate");
    }
  }

  private void leaveOut(LocatedJson document, String problem) {
    if (problems.size() < MOST_PROBLEMS) {
      problems.add(document.error(problem));
    }
  }

  /** Adds every node to the children of its parent. The parent of a node comes before it. */
  private void connect() {
    Iterator<Map.Entry<String, Entry>> all = entries.entrySet().iterator();
    while (all.hasNext()) {
      Map.Entry<String, Entry> next = all.next();
      String path = next.getKey();
      int end = Math.max(0, path.lastIndexOf('/'));
      Entry parent = entries.get(path.substring(0, end));
      if (end > 0 && (parent == null || !parent.isGroup())) {
        leaveOut(
            next.getValue().document(), "the node \"" + path + "\" has no group as its parent");
        all.remove();
      } else {
        children.computeIfAbsent(path.substring(0, end), p -> new ArrayList<>()).add(path);
      }
    }
  }

  /**
   * The errors of the entries that are left out, each with its place, at most 100: an invalid path,
   * a duplicate, or a node whose group is missing. Listings of a store that can list do without
   * consolidated metadata that have any.
   */
  public List<MetadataException> problems() {
    return Collections.unmodifiableList(problems);
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
