package dev.zarrreactive.internal.metadata;

import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.base.StorePrefix;
import dev.zarrreactive.extension.NamedConfiguration;
import dev.zarrreactive.json.JsonObject;
import dev.zarrreactive.json.LocatedJson;
import org.jspecify.annotations.Nullable;

/**
 * A hierarchy whose nodes have other documents and other keys than in Zarr v3. Paths begin with a
 * slash, and that of the root is a slash. Immutable.
 */
public interface TranslatedHierarchy {
  /** Returns the key of an array's document. If it exists, the node is an array. */
  StoreKey arrayDocument(String path);

  /** Returns the key of a group's document. */
  StoreKey groupDocument(String path);

  /** Returns the prefix of the documents below a group. */
  StorePrefix documentsBelow(String group);

  /** Returns the name of the array whose document has this last part; empty for other keys. */
  String arrayName(String lastPart);

  /** Returns the name of the group whose document has this last part; empty for other keys. */
  String groupName(String lastPart);

  /** Returns the prefix of an array's chunks. */
  StorePrefix chunks(String array);

  /**
   * Returns the key of a chunk.
   *
   * @param encoding the encoding of the array's chunk keys
   * @param encoded the index of the chunk in that encoding
   */
  StoreKey chunk(String array, NamedConfiguration encoding, String encoded);

  /**
   * Returns the key that the only chunk of an array without dimensions has where another program
   * wrote it; null if all programs agree.
   */
  @Nullable StoreKey otherScalar(String array);

  /**
   * Translates the document of an array.
   *
   * @param otherScalar true if the chunk has the key {@link #otherScalar}
   */
  TranslatedArray array(LocatedJson document, boolean otherScalar, Deviations deviations);

  /** Returns the attributes in the document of a group. */
  JsonObject group(LocatedJson document, Deviations deviations);
}
