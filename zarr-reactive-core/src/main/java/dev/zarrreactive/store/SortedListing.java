package dev.zarrreactive.store;

import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;

/**
 * Listings of keys that are in an order in which those below one prefix are together, for stores
 * that have them so.
 */
public final class SortedListing {
  private SortedListing() {}

  /**
   * What is directly below a prefix; the keys below what was found are jumped over.
   *
   * @param ceiling the first key that is not before a text; null where there is none
   */
  public static Flux<ListEntry> entries(
      StorePrefix prefix, Function<String, @Nullable String> ceiling) {
    return Flux.generate(
        prefix::value,
        (from, sink) -> {
          String key = ceiling.apply(from);
          if (key == null || !key.startsWith(prefix.value())) {
            sink.complete();
            return from;
          }
          int slash = key.indexOf('/', prefix.value().length());
          if (slash < 0) {
            sink.next(new ListEntry.Key(StoreKey.of(key)));
            return key + '\0';
          }
          String below = key.substring(0, slash + 1);
          sink.next(new ListEntry.Prefix(StorePrefix.of(below)));
          return firstAfter(below);
        });
  }

  /** The least text after all that begin with {@code prefix}, which ends with a slash. */
  public static String firstAfter(String prefix) {
    return prefix.substring(0, prefix.length() - 1) + (char) ('/' + 1);
  }
}
