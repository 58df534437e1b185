package dev.zarrreactive.virtual;

import dev.zarrreactive.base.ByteRange;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.StoreException;
import dev.zarrreactive.store.ReadCondition;
import dev.zarrreactive.store.StoredObject;
import dev.zarrreactive.store.Version;
import dev.zarrreactive.store.VersionedBytes;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * A value whose bytes are an object, or a part of one.
 *
 * @param at the object for people
 * @param place the range of the object; null for all of it
 * @param tag the version of the reference
 * @param isPinned true where the reference leads to one state of the object, so that the tag alone
 *     is the version
 */
record ObjectValue(
    StoreKey key,
    StoredObject object,
    String at,
    ByteRange.@Nullable Slice place,
    String tag,
    boolean isPinned)
    implements ReferencedValue {
  /** Stands between the tag of the reference and the version of the object. */
  private static final char BETWEEN = '~';

  static ObjectValue of(StoreKey key, Reference.Native own) {
    StoredObject object = new StoredObject(own.store(), own.key(), ReadCondition.ALWAYS);
    Version given = own.version();
    String tag = given == null ? tag(own.key().value(), own.range(), "") : given.tag();
    return new ObjectValue(key, object, own.key().value(), own.range(), tag, true);
  }

  static ObjectValue of(
      StoreKey key,
      VirtualLocation location,
      StoredObject object,
      ByteRange.@Nullable Slice range) {
    ObjectChecksum checksum = location.checksum();
    String tag = tag(location.url(), range, String.valueOf(checksum));
    boolean isPinned = checksum instanceof ObjectChecksum.ETag;
    return new ObjectValue(key, object, VirtualUrl.shown(location.url()), range, tag, isPinned);
  }

  private static String tag(String where, ByteRange.@Nullable Slice range, String checksum) {
    return Digest.of(Bytes.utf8(where + "\0" + range + "\0" + checksum));
  }

  @Override
  public Mono<Bytes> read(@Nullable ByteRange range) {
    return Mono.defer(() -> reads().read(inObject(range)));
  }

  @Override
  public Mono<VersionedBytes> read(@Nullable ByteRange range, ReadCondition condition) {
    return Mono.defer(() -> isPinned ? readPinned(range, condition) : readAny(range, condition));
  }

  private Mono<VersionedBytes> readPinned(@Nullable ByteRange range, ReadCondition condition) {
    Version version = new Version(tag);
    VersionedBytes unchanged = condition.check(key, version);
    return unchanged == null
        ? readObject(range, object.condition())
            .map(read -> new VersionedBytes(read.bytes(), version))
        : Mono.just(unchanged);
  }

  /** Passes on the part of the condition that is about the object. */
  private Mono<VersionedBytes> readAny(@Nullable ByteRange range, ReadCondition condition) {
    Version required = condition.required();
    if (required != null) {
      Version wanted = ofObject(required);
      if (wanted == null) {
        throw required.mismatch(key, "the reference leads elsewhere now");
      }
      return readVersioned(range, ReadCondition.ifMatch(wanted));
    }
    Version known = condition.known();
    Version before = known == null ? null : ofObject(known);
    if (known != null && before != null && object.condition().equals(ReadCondition.ALWAYS)) {
      return readVersioned(range, ReadCondition.ifChanged(before))
          .map(read -> read.isUnchanged() ? VersionedBytes.unchanged(known) : read);
    }
    return readVersioned(range, object.condition())
        .map(
            read ->
                known != null && known.equals(read.version())
                    ? VersionedBytes.unchanged(known)
                    : read);
  }

  private Mono<VersionedBytes> readVersioned(@Nullable ByteRange range, ReadCondition condition) {
    return readObject(range, condition)
        .map(
            read -> {
              Version version = read.version();
              return new VersionedBytes(
                  read.bytes(),
                  version == null ? null : new Version(tag + BETWEEN + version.tag()));
            });
  }

  /** Returns the version of the object that a version of this value names; null for another. */
  private @Nullable Version ofObject(Version version) {
    String start = tag + BETWEEN;
    return version.tag().startsWith(start) && version.tag().length() > start.length()
        ? new Version(version.tag().substring(start.length()))
        : null;
  }

  private Mono<VersionedBytes> readObject(@Nullable ByteRange range, ReadCondition condition) {
    return reads().read(inObject(range), condition);
  }

  private ObjectReads reads() {
    return new ObjectReads(object, key, at, place == null);
  }

  /** Returns the range of the object that is a range of this value. */
  private @Nullable ByteRange inObject(@Nullable ByteRange range) {
    if (place == null) {
      return range;
    }
    ByteRange.Slice part =
        range == null ? new ByteRange.Slice(0, place.length()) : range.resolve(key, place.length());
    if (part.length() > Bytes.MAX_SIZE) {
      throw new StoreException(
          "the reference gives the value "
              + place.length()
              + " bytes, and "
              + part.length()
              + " of them do not fit into one array; read it by ranges",
          Location.ofKey(key.value()));
    }
    return new ByteRange.Slice(place.offset() + part.offset(), part.length());
  }
}
