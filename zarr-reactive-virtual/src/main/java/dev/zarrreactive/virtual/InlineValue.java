package dev.zarrreactive.virtual;

import dev.zarrreactive.base.ByteRange;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.store.ReadCondition;
import dev.zarrreactive.store.Version;
import dev.zarrreactive.store.VersionedBytes;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/** A value that stands in its reference. */
record InlineValue(StoreKey key, Reference.Inline reference) implements ReferencedValue {
  @Override
  public Mono<Bytes> read(@Nullable ByteRange range) {
    return Mono.just(part(range));
  }

  @Override
  public Mono<VersionedBytes> read(@Nullable ByteRange range, ReadCondition condition) {
    Version known = reference.version();
    Version version = known == null ? new Version(Digest.of(reference.bytes())) : known;
    VersionedBytes unchanged = condition.check(key, version);
    return Mono.just(unchanged == null ? new VersionedBytes(part(range), version) : unchanged);
  }

  private Bytes part(@Nullable ByteRange range) {
    return range == null ? reference.bytes() : range.of(key, reference.bytes());
  }
}
