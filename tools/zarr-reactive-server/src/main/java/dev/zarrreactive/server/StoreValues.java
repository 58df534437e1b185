package dev.zarrreactive.server;

import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.error.PreconditionFailedException;
import dev.zarrreactive.error.RangeOutOfBoundsException;
import dev.zarrreactive.error.ValueTooLargeException;
import dev.zarrreactive.store.VersionedBytes;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpMethod;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Answers requests for values with the rules of RFC 9110. A value up to a size is one request to
 * the store. A larger one, and a range, is read in ranges of the one version that the header names.
 */
final class StoreValues {
  private static final Set<String> DOCUMENTS =
      Set.of("zarr.json", ".zarray", ".zgroup", ".zattrs", ".zmetadata");
  private static final int ATTEMPTS = 3;

  private final ValueReads reads;

  StoreValues(ValueReads reads) {
    this.reads = reads;
  }

  /** Returns the response; empty for a missing value. */
  Mono<Reply> get(StoreKey key, HttpMethod method, HttpHeaders headers, ResponseMemory memory) {
    if (method.equals(HttpMethod.HEAD)) {
      return reads.state(key).map(state -> head(key, headers, state));
    }
    return attempt(key, headers, memory, ATTEMPTS);
  }

  private Mono<Reply> attempt(
      StoreKey key, HttpHeaders headers, ResponseMemory memory, int moreAttempts) {
    ValueState known = reads.known(key);
    boolean isLarge = known != null && known.size() > reads.readBytes();
    Mono<Reply> reply =
        headers.contains(HttpHeaderNames.RANGE) || isLarge
            ? parts(key, headers, memory, known)
            : whole(key, headers, memory);
    return moreAttempts == 0
        ? reply
        : reply.onErrorResume(
            StoreValues::hasChanged,
            changed -> {
              reads.forget(key);
              return attempt(key, headers, memory, moreAttempts - 1);
            });
  }

  /** Returns true for an error by which the value is not the one that was measured. */
  private static boolean hasChanged(Throwable error) {
    return error instanceof PreconditionFailedException
        || error instanceof RangeOutOfBoundsException;
  }

  /** A HEAD has no ranges. */
  private static Reply head(StoreKey key, HttpHeaders headers, ValueState state) {
    Reply refused = refused(key, headers, state.tag());
    return refused == null ? described(key, 200, state.tag(), state.size()) : refused;
  }

  private Mono<Reply> whole(StoreKey key, HttpHeaders headers, ResponseMemory memory) {
    return Mono.defer(() -> whole(key, headers, memory, reads.firstLease(memory)));
  }

  /** Answers with a value of at most so many bytes, and with a larger one as its size demands. */
  private Mono<Reply> whole(StoreKey key, HttpHeaders headers, ResponseMemory memory, long most) {
    return memory
        .leased(
            most,
            most,
            target ->
                reads
                    .whole(key, EntityTag.known(headers), most)
                    .map(read -> whole(key, headers, read, target)))
        .onErrorResume(
            ValueTooLargeException.class,
            large ->
                most < reads.leaseBytes()
                    ? whole(key, headers, memory, reads.leaseBytes())
                    : parts(key, headers, memory, null));
  }

  private Reply whole(
      StoreKey key, HttpHeaders headers, VersionedBytes read, ResponseMemory.Part target) {
    Bytes bytes = read.bytes();
    if (bytes == null) {
      return notModified(EntityTag.of(read.version()));
    }
    ValueState state = reads.state(key, read.version(), bytes.size());
    Reply refused = refused(key, headers, state.tag());
    return refused != null
        ? refused
        : described(key, 200, state.tag(), bytes.size()).with(target.fill(bytes).body());
  }

  /**
   * Answers in ranges of one version.
   *
   * @param known the state of an earlier read, which the store confirms by its version
   */
  private Mono<Reply> parts(
      StoreKey key, HttpHeaders headers, ResponseMemory memory, @Nullable ValueState known) {
    return known == null || EntityTag.isConditional(headers)
        ? reads.state(key).flatMap(state -> parts(key, headers, memory, state, false))
        : parts(key, headers, memory, known, true);
  }

  private Mono<Reply> parts(
      StoreKey key,
      HttpHeaders headers,
      ResponseMemory memory,
      ValueState state,
      boolean mayBeStale) {
    Reply refused = refused(key, headers, state.tag());
    if (refused != null) {
      return Mono.just(refused);
    }
    long total = state.size();
    if (total < 0) {
      return unmeasured(key, state, memory);
    }
    RangeHeader range =
        EntityTag.allowsRange(headers, state.tag())
            ? RangeHeader.of(headers.get(HttpHeaderNames.RANGE))
            : null;
    RangeHeader.Part part = range == null ? new RangeHeader.Part(0, total) : range.in(total);
    if (part == null) {
      return mayBeStale
          ? reads.state(key).flatMap(fresh -> parts(key, headers, memory, fresh, false))
          : Mono.just(unsatisfiable(key, total));
    }
    Reply reply = described(key, range == null ? 200 : 206, state.tag(), part.size());
    if (range != null) {
      reply.with(HttpHeaderNames.CONTENT_RANGE, part.contentRange(total));
    }
    return reads
        .first(key, state, part, memory)
        .map(
            first ->
                reply.with(
                    part.size() <= reads.readBytes()
                        ? first.body()
                        : ResponseMemory.windowed(
                            Flux.concat(
                                List.of(first.pieces(), reads.rest(key, state, part, memory))))));
  }

  /** Answers with the value read whole, where the store cannot tell its size. */
  private Mono<Reply> unmeasured(StoreKey key, ValueState state, ResponseMemory memory) {
    return memory.leased(
        reads.leaseBytes(),
        reads.leaseBytes(),
        target ->
            reads
                .store()
                .getVersioned(key, null, state.required())
                .map(
                    read -> {
                      Bytes bytes = read.bytes() == null ? Bytes.EMPTY : read.bytes();
                      return described(key, 200, state.tag(), bytes.size())
                          .with(target.fill(bytes).body());
                    }));
  }

  /** Returns the response for the conditions of a request; null where the value is to be sent. */
  private static @Nullable Reply refused(StoreKey key, HttpHeaders headers, @Nullable String tag) {
    return switch (EntityTag.check(headers, tag)) {
      case SEND -> null;
      case NOT_MODIFIED -> notModified(tag);
      case FAILED -> Problem.of(412, key.value(), "the value has another ETag: " + tag);
    };
  }

  private static Reply notModified(@Nullable String tag) {
    return tagged(Reply.of(304), tag).with(HttpHeaderNames.CACHE_CONTROL, "no-cache");
  }

  private static Reply unsatisfiable(StoreKey key, long total) {
    return Problem.of(416, key.value(), "the value has " + total + " bytes, none in the range")
        .with(HttpHeaderNames.CONTENT_RANGE, "bytes */" + total);
  }

  /** Returns a response with the headers of a value. */
  private static Reply described(StoreKey key, int status, @Nullable String tag, long length) {
    Reply reply =
        tagged(Reply.of(status), tag)
            .with(HttpHeaderNames.CONTENT_TYPE, mediaType(key))
            .with(HttpHeaderNames.ACCEPT_RANGES, "bytes")
            .with(HttpHeaderNames.CACHE_CONTROL, "no-cache");
    return length < 0 ? reply : reply.withLength(length);
  }

  private static Reply tagged(Reply reply, @Nullable String tag) {
    return tag == null ? reply : reply.with(HttpHeaderNames.ETAG, tag);
  }

  /** Returns true for the key of metadata. */
  static boolean isDocument(String key) {
    return DOCUMENTS.contains(key.substring(key.lastIndexOf('/') + 1));
  }

  private static String mediaType(StoreKey key) {
    return isDocument(key.value()) ? Reply.JSON : "application/octet-stream";
  }

  /** Answers a request for a document in memory by the same rules. */
  static Reply of(StoreKey key, HttpMethod method, HttpHeaders headers, Bytes bytes, String tag) {
    Reply refused = refused(key, headers, tag);
    if (refused != null) {
      return refused;
    }
    RangeHeader range =
        method.equals(HttpMethod.HEAD) || !EntityTag.allowsRange(headers, tag)
            ? null
            : RangeHeader.of(headers.get(HttpHeaderNames.RANGE));
    RangeHeader.Part part =
        range == null ? new RangeHeader.Part(0, bytes.size()) : range.in(bytes.size());
    if (part == null) {
      return unsatisfiable(key, bytes.size());
    }
    Reply reply = described(key, range == null ? 200 : 206, tag, part.size());
    if (range != null) {
      reply.with(HttpHeaderNames.CONTENT_RANGE, part.contentRange(bytes.size()));
    }
    Flux<ByteBuf> body =
        Flux.defer(
            () ->
                Flux.just(
                    Unpooled.wrappedBuffer(
                        bytes.unsafeArray(),
                        bytes.unsafeOffset() + (int) part.offset(),
                        (int) part.size())));
    return reply.with(body);
  }
}
