package dev.zarrreactive.internal.transfer;

import dev.zarrreactive.base.ByteRange;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.store.ReadCondition;
import dev.zarrreactive.store.VersionedBytes;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * Reads values, and ranges of them, over HTTP. A read is one GET, and more only where a body is
 * cut. An empty range is a request for the size, for its value must exist. Where the server refuses
 * ranges that count from the end, the size comes first, for all later ones too.
 */
public final class ValueReader {
  private static final int REPEATS = 9;

  private final ValueRequests requests;
  private final int resumes;

  /** The number of times that a read asks for the size again where the value was replaced. */
  private final int repeats;

  /** Learnt from the first refusal, where it was not known. */
  private volatile boolean refusesSuffixes;

  /**
   * A reader of one store.
   *
   * @param resumes the number of times that one read asks for the rest of a body that was cut
   */
  public ValueReader(ValueRequests requests, int resumes) {
    this(requests, resumes, 0, false);
  }

  private ValueReader(ValueRequests requests, int resumes, int repeats, boolean refusesSuffixes) {
    this.requests = requests;
    this.resumes = resumes;
    this.repeats = repeats;
    this.refusesSuffixes = refusesSuffixes;
  }

  /**
   * Returns a reader of a store whose server has no ranges that count from the end. Where the value
   * is replaced after the answer with its size, it asks again, nine times at most: other writers of
   * a busy shard are no error of its readers.
   */
  public static ValueReader withoutSuffixes(ValueRequests requests, int resumes) {
    return new ValueReader(requests, resumes, REPEATS, true);
  }

  /**
   * Reads a value of any version, or a range of it; empty where the value is missing.
   *
   * @param range null for the whole value
   */
  public Mono<Bytes> read(StoreKey key, @Nullable ByteRange range) {
    return read(key, range, ReadCondition.ALWAYS).mapNotNull(VersionedBytes::bytes);
  }

  /**
   * Reads a value, or a range of it; empty where the value is missing.
   *
   * @param range null for the whole value
   */
  public Mono<VersionedBytes> read(
      StoreKey key, @Nullable ByteRange range, ReadCondition condition) {
    if (range == null) {
      return read(key, RequestedRange.WHOLE, condition, null, null, null);
    }
    if (isEmpty(range)) {
      return readBySize(key, range, condition, repeats);
    }
    return range instanceof ByteRange.Suffix
        ? Mono.defer(() -> readSuffix(key, range, condition))
        : read(key, RequestedRange.of(range), condition, null, null, null);
  }

  private static boolean isEmpty(ByteRange range) {
    return (range instanceof ByteRange.Slice slice && slice.length() == 0)
        || (range instanceof ByteRange.Suffix suffix && suffix.length() == 0);
  }

  private Mono<VersionedBytes> readSuffix(StoreKey key, ByteRange suffix, ReadCondition condition) {
    Mono<VersionedBytes> bySize = readBySize(key, suffix, condition, repeats);
    return refusesSuffixes
        ? bySize
        : read(key, RequestedRange.of(suffix), condition, null, bySize.doOnNext(this::learn), null);
  }

  /** Learns from a suffix that was refused, unless no byte of it exists. */
  private void learn(VersionedBytes suffix) {
    Bytes bytes = suffix.bytes();
    refusesSuffixes = bytes != null && bytes.size() > 0;
  }

  private Mono<VersionedBytes> readBySize(
      StoreKey key, ByteRange range, ReadCondition condition, int repeatsLeft) {
    return requests
        .size(key, condition)
        .flatMap(
            size ->
                readSlice(
                    key,
                    range,
                    condition,
                    size,
                    repeatsLeft == 0
                        ? null
                        : Mono.defer(() -> readBySize(key, range, condition, repeatsLeft - 1))));
  }

  private Mono<VersionedBytes> readSlice(
      StoreKey key,
      ByteRange range,
      ReadCondition condition,
      ValueSize size,
      @Nullable Mono<VersionedBytes> again) {
    VersionedBytes unchanged = condition.check(key, size.version(), size.modified());
    if (unchanged != null) {
      return Mono.just(unchanged);
    }
    ByteRange.Slice slice = range.resolve(key, size.total());
    return slice.length() == 0
        ? Mono.just(new VersionedBytes(Bytes.EMPTY, size.version()))
        : read(key, RequestedRange.of(slice), condition, size, null, again);
  }

  private Mono<VersionedBytes> read(
      StoreKey key,
      RequestedRange range,
      ReadCondition condition,
      @Nullable ValueSize expected,
      @Nullable Mono<VersionedBytes> bySize,
      @Nullable Mono<VersionedBytes> again) {
    return Mono.defer(
        () ->
            new ResumableRead(requests, key, range, condition, expected, bySize, again, resumes)
                .start());
  }
}
