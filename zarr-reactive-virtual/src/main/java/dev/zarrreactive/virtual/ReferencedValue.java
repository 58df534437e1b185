package dev.zarrreactive.virtual;

import dev.zarrreactive.base.ByteRange;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.store.ReadCondition;
import dev.zarrreactive.store.VersionedBytes;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/** The value at a key, wherever its bytes are. */
sealed interface ReferencedValue permits InlineValue, ObjectValue {
  /** Reads a range of it; null for all. */
  Mono<Bytes> read(@Nullable ByteRange range);

  /** Reads a range of it with its version; null for all. */
  Mono<VersionedBytes> read(@Nullable ByteRange range, ReadCondition condition);
}
