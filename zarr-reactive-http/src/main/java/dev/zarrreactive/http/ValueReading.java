package dev.zarrreactive.http;

import dev.zarrreactive.error.StoreException;
import dev.zarrreactive.error.TransientStoreException;
import dev.zarrreactive.internal.transfer.BodyHead;
import dev.zarrreactive.internal.transfer.BodyReading;
import dev.zarrreactive.internal.transfer.ContentRange;
import dev.zarrreactive.internal.transfer.Wanted;
import dev.zarrreactive.internal.transfer.WantedVersion;
import dev.zarrreactive.store.Bytes;
import dev.zarrreactive.store.ReadCondition;
import dev.zarrreactive.store.StoreKey;
import dev.zarrreactive.store.Version;
import dev.zarrreactive.store.VersionedBytes;
import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpMethod;
import java.nio.ByteBuffer;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.netty.ByteBufFlux;
import reactor.netty.http.client.HttpClientResponse;

/**
 * Reads bytes of one value, for one subscriber. Where the body is cut it asks for what is still
 * missing, as long as the value is the same: that needs a strong ETag.
 */
final class ValueReading {
  private final Exchange exchange;
  private final StoreKey key;
  private final Wanted wanted;
  private final @Nullable Size expected;
  private final SuffixRefused suffixRefused;
  private final ReadCondition condition;
  private final Sizes sizes;
  private int resumes;
  private @Nullable BodyReading body;

  /**
   * A reading.
   *
   * @param expected what the value was before; null where nothing is known
   * @param suffixRefused what to do where the server does not know ranges from the end
   */
  ValueReading(
      Exchange exchange,
      StoreKey key,
      Wanted wanted,
      @Nullable Size expected,
      SuffixRefused suffixRefused,
      ReadCondition condition,
      Sizes sizes,
      int resumes) {
    this.exchange = exchange;
    this.key = key;
    this.wanted = wanted;
    this.expected = expected;
    this.suffixRefused = suffixRefused;
    this.condition = condition;
    this.sizes = sizes;
    this.resumes = resumes;
  }

  /** Another way to a range from the end. */
  interface SuffixRefused {
    Mono<VersionedBytes> otherwise(StoreException refusal);
  }

  /** The bytes; empty where there is no value. */
  Mono<VersionedBytes> bytes() {
    Map<String, String> headers = new LinkedHashMap<>();
    String range = wanted.header();
    if (range != null) {
      headers.put("range", range);
    }
    Conditions.addTo(headers, condition);
    return asked(headers, this::begin);
  }

  /** What is done next is done when the answer has ended, so that one request is under way. */
  private Mono<VersionedBytes> asked(
      Map<String, String> headers, Exchange.Answer<Mono<VersionedBytes>> answer) {
    return exchange
        .ask(key, HttpMethod.GET, headers, answer)
        .onErrorResume(TransientStoreException.class, e -> Mono.just(resumed(e)))
        .flatMap(Function.identity());
  }

  private Mono<Mono<VersionedBytes>> begin(
      HttpClientResponse response, ByteBufFlux content, Url url) {
    return switch (response.status().code()) {
      case 200, 206 -> {
        Reply reply = Reply.of(key, url, response);
        VersionedBytes unchanged =
            WantedVersion.unchanged(key, Conditions.version(reply.tag()), condition);
        if (unchanged != null) {
          yield Exchange.drained(content).then(Mono.just(Mono.just(unchanged)));
        }
        if (expected != null && !reply.isOf(expected)) {
          throw reply.body().changed();
        }
        BodyReading reading = new BodyReading(reply.body(), wanted);
        body = reading;
        yield answer(reading.read(parts(content)), reply);
      }
      case 304, 412 -> Exchange.drained(content).then(Mono.just(onCondition(response, url)));
      case 416 -> Exchange.drained(content).then(Mono.just(beyondTheEnd(response, url)));
      default -> {
        StoreException refusal = HttpErrors.status(key, url, response);
        yield Exchange.drained(content)
            .then(
                Mono.just(
                    wanted.isSuffix() ? suffixRefused.otherwise(refusal) : Mono.error(refusal)));
      }
    };
  }

  private static Mono<Mono<VersionedBytes>> answer(Mono<Bytes> content, Reply reply) {
    return content.map(
        bytes -> Mono.just(new VersionedBytes(bytes, Conditions.version(reply.tag()))));
  }

  /** Each is good until the next is asked for. */
  private static Flux<ByteBuffer> parts(ByteBufFlux content) {
    return content.map(ByteBuf::nioBuffer);
  }

  /** Not modified, or a precondition that failed, where there was one. */
  private Mono<VersionedBytes> onCondition(HttpClientResponse response, Url url) {
    Version known = condition.known();
    Version required = condition.required();
    if (known != null && response.status().code() == 304) {
      return Mono.just(VersionedBytes.unchanged(known));
    }
    return required != null && response.status().code() == 412
        ? Mono.error(() -> WantedVersion.failed(key, required, "it is another"))
        : Mono.error(() -> HttpErrors.status(key, url, response));
  }

  /** No byte of the range is there. The version, which a 416 does not tell, is looked at first. */
  private Mono<VersionedBytes> beyondTheEnd(HttpClientResponse response, Url url) {
    if (expected != null) {
      return Mono.error(() -> BodyHead.changed(key, url.toString()));
    }
    long total =
        ContentRange.totalOfRefusal(response.responseHeaders().get(HttpHeaderNames.CONTENT_RANGE));
    if (wanted.isSuffix() && total != 0) {
      return suffixRefused.otherwise(HttpErrors.status(key, url, response));
    }
    return wanted.header() == null
        ? Mono.error(() -> HttpErrors.status(key, url, response))
        : sizes.of(key).map(size -> beyondTheEnd(size, total, url));
  }

  private VersionedBytes beyondTheEnd(Size size, long total, Url url) {
    VersionedBytes unchanged =
        WantedVersion.unchanged(key, Conditions.version(size.tag()), condition);
    if (unchanged != null) {
      return unchanged;
    }
    if (total >= 0 && total != size.total()) {
      throw BodyHead.changed(key, url.toString());
    }
    long offset = wanted.isSuffix() ? 0 : wanted.offset();
    if (wanted.end() >= 0 || offset != size.total()) {
      throw wanted.tooShort(key, size.total());
    }
    return new VersionedBytes(Bytes.EMPTY, Conditions.version(size.tag()));
  }

  /**
   * The rest of a body that was cut; the error where no more of it comes, or it may have changed.
   */
  private Mono<VersionedBytes> resumed(TransientStoreException cut) {
    BodyReading reading = body;
    if (reading == null || resumes == 0 || !reading.canResume()) {
      return Mono.error(cut);
    }
    resumes--;
    Map<String, String> headers = new LinkedHashMap<>();
    headers.put("range", reading.rest());
    headers.put("if-range", String.valueOf(reading.head().version()));
    return asked(headers, this::goOn).switchIfEmpty(Mono.error(() -> reading.head().changed()));
  }

  private Mono<Mono<VersionedBytes>> goOn(
      HttpClientResponse response, ByteBufFlux content, Url url) {
    BodyReading reading = body;
    int status = response.status().code();
    if (reading == null || (status != 200 && status != 206)) {
      return Exchange.drained(content)
          .then(Mono.error(() -> BodyHead.changed(key, url.toString())));
    }
    Reply reply = Reply.of(key, url, response);
    return answer(reading.goOn(reply.body(), parts(content)), reply);
  }
}
