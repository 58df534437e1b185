package dev.zarrreactive.metadata;

import dev.zarrreactive.store.StoreKey;
import dev.zarrreactive.store.StorePrefix;

/**
 * Where the documents and chunks of a hierarchy of the 2022 draft are: documents below {@code
 * meta/}, chunks below {@code data/}. Programs kept to an older state of the draft, in which the
 * root node is named {@code root} in all keys.
 *
 * @param namesRoot true for the keys that programs wrote, such as {@code meta/root/a.array.json};
 *     false for those of the document, such as {@code meta/a.array.json}
 * @param suffix the end of every document's key, such as {@code .json}
 */
public record Draft2022Layout(boolean namesRoot, String suffix) {
  /** The key of an array's document. */
  public StoreKey arrayDocument(NodePath path) {
    return document(path, "array");
  }

  /** The key of a group's document. */
  public StoreKey groupDocument(NodePath path) {
    return document(path, "group");
  }

  private StoreKey document(NodePath path, String type) {
    String separator = path.isRoot() && !namesRoot ? "/" : ".";
    return new StoreKey("meta" + below(path) + separator + type + suffix);
  }

  /** What the keys of the documents below a group begin with. */
  public StorePrefix documentsBelow(NodePath group) {
    return new StorePrefix("meta" + below(group) + "/");
  }

  /** What the keys of an array's chunks begin with. */
  public StorePrefix chunks(NodePath array) {
    return new StorePrefix("data" + below(array) + "/");
  }

  private String below(NodePath path) {
    return (namesRoot ? "/root" : "") + (path.isRoot() ? "" : path.value());
  }

  /** The name of the array whose document ends with {@code key}; empty where it is no array's. */
  public String arrayName(String key) {
    return name(key, ".array" + suffix);
  }

  /** The name of the group whose document ends with {@code key}; empty where it is no group's. */
  public String groupName(String key) {
    return name(key, ".group" + suffix);
  }

  private static String name(String key, String end) {
    return key.endsWith(end) ? key.substring(0, key.length() - end.length()) : "";
  }
}
