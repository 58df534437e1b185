package dev.zarrreactive.metadata;

import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.base.StorePrefix;
import dev.zarrreactive.error.InvalidInputException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The path of a node in a hierarchy: {@code /} for the root, {@code /a/b} below (specification:
 * "Path", "Node names"). A path may have any name that a store key can have; Zarr v3 reserves some
 * of them, see {@link #checkNames}.
 *
 * @param value the path, with a leading slash and without a trailing one, except for the root
 */
public record NodePath(String value) implements Comparable<NodePath> {
  /** The path of the root node. */
  public static final NodePath ROOT = new NodePath("/");

  /** The name of the metadata document of every node. */
  public static final String DOCUMENT = "zarr.json";

  /** The name of the metadata document of an array of Zarr v2. */
  public static final String V2_ARRAY = ".zarray";

  /** The name of the metadata document of a group of Zarr v2. */
  public static final String V2_GROUP = ".zgroup";

  /** The name of the document with the attributes of a node of Zarr v2. */
  public static final String V2_ATTRIBUTES = ".zattrs";

  /** The name of the document of a group of Zarr v2 with the documents of all nodes below. */
  public static final String V2_CONSOLIDATED = ".zmetadata";

  /**
   * Checks the path.
   *
   * @throws IllegalArgumentException if it is malformed, or has an invalid node name
   */
  public NodePath {
    if (!value.startsWith("/")) {
      throw new InvalidInputException("a node path begins with \"/\": \"" + value + "\"");
    }
    if (value.length() > 1) {
      for (String name : value.substring(1).split("/", -1)) {
        checkName(name, value);
      }
    }
  }

  /**
   * Parses a path with or without its leading slash. The empty text is the root.
   *
   * @throws IllegalArgumentException if it is malformed, or has an invalid node name
   */
  public static NodePath of(String path) {
    return new NodePath(path.startsWith("/") ? path : "/" + path);
  }

  private static void checkName(String name, String path) {
    String problem = nameProblem(name);
    if (!problem.isEmpty()) {
      throw new InvalidInputException(
          "the node name \"" + name + "\" in \"" + path + "\" " + problem);
    }
  }

  /** Returns the fault of a name that no node can have, or an empty text. */
  private static String nameProblem(String name) {
    if (name.isEmpty()) {
      return "is empty";
    }
    if (name.equals(".") || name.equals("..")) {
      return "consists of periods";
    }
    if (name.codePoints()
        .anyMatch(c -> c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE)) {
      return "has an unpaired surrogate, which UTF-8 cannot encode";
    }
    return name.indexOf('\0') >= 0 ? "has a NUL character" : "";
  }

  /** Returns true for a name that a node of some version of Zarr can have. */
  public static boolean isNodeName(String name) {
    return name.indexOf('/') < 0 && nameProblem(name).isEmpty();
  }

  /**
   * Checks the names for a node of a version of Zarr: Zarr v3 has reserved names, Zarr v2 has none.
   *
   * @param zarrFormat 2 or 3
   * @throws IllegalArgumentException if a name is reserved
   */
  public void checkNames(int zarrFormat) {
    String problem = zarrFormat == 2 ? "" : reservation();
    if (!problem.isEmpty()) {
      throw new InvalidInputException(problem);
    }
  }

  /** Returns true if Zarr v3 reserves one of the names. */
  public boolean hasReservedName() {
    return !reservation().isEmpty();
  }

  private String reservation() {
    if (!isRoot()) {
      for (String name : value.substring(1).split("/", -1)) {
        String problem = reservation(name);
        if (!problem.isEmpty()) {
          return "the node name \"" + name + "\" in \"" + value + "\" " + problem;
        }
      }
    }
    return "";
  }

  /** Returns why Zarr v3 reserves a name, or an empty text. */
  private static String reservation(String name) {
    if (name.startsWith("__")) {
      return "begins with \"__\", which Zarr v3 reserves; give the node another name";
    } else if (name.equals(DOCUMENT)) {
      return "is the name of the metadata document of Zarr v3; give the node another name";
    }
    return name.chars().allMatch(c -> c == '.')
        ? "consists of periods, which Zarr v3 reserves; give the node another name"
        : "";
  }

  /** Returns true for the key of a node's metadata or attributes, and false for that of a chunk. */
  public static boolean isDocumentKey(String key) {
    String name = key.substring(key.lastIndexOf('/') + 1);
    return name.equals(DOCUMENT)
        || name.equals(V2_ARRAY)
        || name.equals(V2_GROUP)
        || name.equals(V2_ATTRIBUTES)
        || name.equals(V2_CONSOLIDATED);
  }

  /** Returns the node whose metadata document has the key; empty for any other key. */
  public static Optional<NodePath> ofDocument(StoreKey key) {
    int end = key.value().lastIndexOf('/');
    String name = key.value().substring(end + 1);
    return name.equals(DOCUMENT) || name.equals(V2_ARRAY) || name.equals(V2_GROUP)
        ? Optional.of(of(key.value().substring(0, Math.max(0, end))))
        : Optional.empty();
  }

  /** Returns true for {@code /}. */
  public boolean isRoot() {
    return value.length() == 1;
  }

  /** The last name of the path, empty for the root. */
  public String name() {
    return value.substring(value.lastIndexOf('/') + 1);
  }

  /** The path of the group of this node. The root is its own parent. */
  public NodePath parent() {
    int end = value.lastIndexOf('/');
    return end <= 0 ? ROOT : new NodePath(value.substring(0, end));
  }

  /** Returns the path of the node at {@code relative} below this one. */
  public NodePath resolve(String relative) {
    return relative.isEmpty() ? this : new NodePath((isRoot() ? "" : value) + "/" + relative);
  }

  /** Returns true for this path and all paths below it. */
  public boolean contains(NodePath other) {
    return isRoot() || other.value.equals(value) || other.value.startsWith(value + "/");
  }

  /** Returns the path of {@code below} relative to this one, the inverse of {@link #resolve}. */
  public String relativize(NodePath below) {
    return below.equals(this) ? "" : below.value.substring(isRoot() ? 1 : value.length() + 1);
  }

  /** The groups above this node, from the root down. */
  public List<NodePath> ancestors() {
    List<NodePath> ancestors = new ArrayList<>();
    for (NodePath node = this; !node.isRoot(); node = node.parent()) {
      ancestors.add(0, node.parent());
    }
    return ancestors;
  }

  /** The key of the metadata document. */
  public StoreKey documentKey() {
    return key(DOCUMENT);
  }

  /** Returns the key {@code name} below this node. */
  public StoreKey key(String name) {
    return prefix().key(name);
  }

  /** The prefix of the keys of this node and of all nodes below it. */
  public StorePrefix prefix() {
    return isRoot() ? StorePrefix.ROOT : new StorePrefix(value.substring(1) + "/");
  }

  @Override
  public int compareTo(NodePath other) {
    return value.compareTo(other.value);
  }

  @Override
  public String toString() {
    return value;
  }
}
