package dev.zarrreactive.internal.store;

import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.base.StorePrefix;
import dev.zarrreactive.store.ListEntry;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;

/** Listings for stores with sorted keys, in which the keys below one prefix are adjacent. */
public final class SortedListing {
  private SortedListing() {}

  /**
   * Lists the entries directly below a prefix; skips the keys below a found prefix.
   *
   * @param ceiling returns the first key that is equal to or after a text; null if there is none
   */
  public static Flux<ListEntry> entries(
      StorePrefix prefix, Function<String, @Nullable String> ceiling) {
    return entries(prefix, ceiling, key -> ListEntry.Key.UNKNOWN_SIZE);
  }

  /**
   * Lists the entries directly below a prefix with the sizes of the values; skips the keys below a
   * found prefix.
   *
   * @param ceiling returns the first key that is equal to or after a text; null if there is none
   * @param size returns the size of the value at a key, or {@link ListEntry.Key#UNKNOWN_SIZE}
   */
  public static Flux<ListEntry> entries(
      StorePrefix prefix, Function<String, @Nullable String> ceiling, ToLongFunction<String> size) {
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
            sink.next(new ListEntry.Key(StoreKey.of(key), size.applyAsLong(key)));
            return key + '\0';
          }
          String below = key.substring(0, slash + 1);
          sink.next(new ListEntry.Prefix(StorePrefix.of(below)));
          return firstAfter(below);
        });
  }

  /**
   * Returns the least text after all texts that begin with {@code prefix}, which ends with a slash.
   */
  public static String firstAfter(String prefix) {
    return prefix.substring(0, prefix.length() - 1) + (char) ('/' + 1);
  }
}
