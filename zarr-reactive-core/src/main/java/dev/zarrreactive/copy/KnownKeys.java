package dev.zarrreactive.copy;

import dev.zarrreactive.chunkkey.ChunkKeyEncoding;
import dev.zarrreactive.metadata.ArrayMetadata;
import dev.zarrreactive.metadata.NodeMetadata;
import dev.zarrreactive.metadata.NodePath;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Tells the keys that belong to nodes from those of other programs. */
final class KnownKeys {
  private static final Set<String> DOCUMENTS =
      Set.of(
          NodePath.DOCUMENT,
          NodePath.V2_ARRAY,
          NodePath.V2_GROUP,
          NodePath.V2_ATTRIBUTES,
          NodePath.V2_CONSOLIDATED);

  private static final Pattern NUMBER = Pattern.compile("0|[1-9][0-9]{0,18}");

  private final Map<String, NodeMetadata> nodes = new HashMap<>();

  /** Adds a node; its path is the prefix of its keys, without a leading slash. */
  void add(NodePath path, NodeMetadata metadata) {
    nodes.put(path.value().substring(1), metadata);
  }

  /** Returns whether a key is a metadata document of a node, or could be a chunk of an array. */
  boolean has(String key) {
    int end = key.lastIndexOf('/');
    String parent = key.substring(0, Math.max(0, end));
    if (nodes.containsKey(parent) && isDocument(key.substring(end + 1))) {
      return true;
    }
    for (String path = parent; ; path = path.substring(0, Math.max(0, path.lastIndexOf('/')))) {
      if (nodes.get(path) instanceof ArrayMetadata array) {
        return isChunk(array, key.substring(path.isEmpty() ? 0 : path.length() + 1));
      }
      if (path.isEmpty()) {
        return false;
      }
    }
  }

  private static boolean isDocument(String name) {
    return DOCUMENTS.contains(name)
        || (name.endsWith(UnfinishedNodes.SUFFIX)
            && DOCUMENTS.contains(
                name.substring(0, name.length() - UnfinishedNodes.SUFFIX.length())));
  }

  /**
   * Returns whether a name is that of a chunk, also outside the array: the array may have been
   * longer.
   */
  private static boolean isChunk(ArrayMetadata array, String name) {
    int rank = array.shape().rank();
    if (name.length() > 20L * rank + 2) {
      return false;
    }
    long[] index = new long[rank];
    Matcher number = NUMBER.matcher(name);
    for (int d = 0; d < rank; d++) {
      if (!number.find()) {
        return false;
      }
      try {
        index[d] = Long.parseLong(number.group());
      } catch (NumberFormatException e) { // beyond 2^63
        return false;
      }
    }
    return ChunkKeyEncoding.of(array.chunkKeyEncoding()).encode(index).equals(name);
  }
}
