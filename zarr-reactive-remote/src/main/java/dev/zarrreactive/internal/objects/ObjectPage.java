package dev.zarrreactive.internal.objects;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A page of the listing of a bucket or container.
 *
 * @param objects in the order of their names
 * @param prefixes of further objects, up to the next slash
 * @param isTruncated true where another page follows
 * @param next the token of the next page; null where the page has none
 */
public record ObjectPage(
    List<Listed> objects, List<String> prefixes, boolean isTruncated, @Nullable String next) {

  /**
   * An object.
   *
   * @param size in bytes; -1 where the page does not say
   * @param modified when it was written; null where the page does not say
   */
  public record Listed(String name, long size, @Nullable Instant modified) {}
}
