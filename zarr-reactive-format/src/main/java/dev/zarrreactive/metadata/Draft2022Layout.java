package dev.zarrreactive.metadata;

import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.base.StorePrefix;
import dev.zarrreactive.spi.Spi;

/**
 * The keys of a hierarchy of the 2022 draft: documents below {@code meta/}, chunks below {@code
 * data/}. Programs followed an older state of the draft, in which all keys name the root node
 * {@code root}.
 *
 * @param namesRoot true for the keys of programs, such as {@code meta/root/a.array.json}; false for
 *     the keys of the draft, such as {@code meta/a.array.json}
 * @param suffix the end of every document's key, such as {@code .json}
 */
@Spi
public record Draft2022Layout(boolean namesRoot, String suffix) {
  /** Returns the key of an array's document. */
  public StoreKey arrayDocument(NodePath path) {
    return document(path, "array");
  }

  /** Returns the key of a group's document. */
  public StoreKey groupDocument(NodePath path) {
    return document(path, "group");
  }

  private StoreKey document(NodePath path, String type) {
    String separator = path.isRoot() && !namesRoot ? "/" : ".";
    return new StoreKey("meta" + below(path) + separator + type + suffix);
  }

  /** Returns the prefix of the documents below a group. */
  public StorePrefix documentsBelow(NodePath group) {
    return new StorePrefix("meta" + below(group) + "/");
  }

  /** Returns the prefix of an array's chunks. */
  public StorePrefix chunks(NodePath array) {
    return new StorePrefix("data" + below(array) + "/");
  }

  private String below(NodePath path) {
    return (namesRoot ? "/root" : "") + (path.isRoot() ? "" : path.value());
  }

  /**
   * Returns the name of the array whose document's key ends with {@code key}, empty for other keys.
   */
  public String arrayName(String key) {
    return name(key, ".array" + suffix);
  }

  /**
   * Returns the name of the group whose document's key ends with {@code key}, empty for other keys.
   */
  public String groupName(String key) {
    return name(key, ".group" + suffix);
  }

  private static String name(String key, String end) {
    return key.endsWith(end) ? key.substring(0, key.length() - end.length()) : "";
  }
}
