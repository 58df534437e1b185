package dev.zarrreactive.store;

import dev.zarrreactive.base.ByteRange;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.spi.Spi;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * The values of a store that are parts of objects, such as the chunks of a netCDF file. A reader of
 * many values asks where they lie, and reads neighbours in one request. A read-only store whose
 * values lie in objects implements this beside {@link Store}; a decorator passes it on in {@link
 * DelegatingStore#located}.
 *
 * <p>Laziness, threads, cancel and errors are those of {@link Store}.
 */
@Spi
public interface LocatedValues {
  /**
   * Returns the located values of {@code store}; null where its values lie in no objects, or a
   * decorator does not pass them on.
   */
  static @Nullable LocatedValues of(Store store) {
    if (store instanceof LocatedValues located) {
      return located;
    }
    return store instanceof DelegatingStore decorator ? decorator.located() : null;
  }

  /**
   * Emits where the values lie, one place for each key and in the same order. Reads none of the
   * objects. A place is empty for a value that is missing, lies in no object or cannot be located:
   * {@link Store#get(StoreKey)} of its key reads it, or tells the error.
   */
  Mono<List<Optional<ValuePlace>>> places(List<StoreKey> keys);

  /**
   * Reads a part of an object, as {@link Store#get(StoreKey, ByteRange)} does. An object that is
   * missing, too short or does not fulfil its condition is an error.
   *
   * @param object of a place that {@link #places} has emitted
   */
  Mono<Bytes> read(StoredObject object, ByteRange.Slice range);
}
