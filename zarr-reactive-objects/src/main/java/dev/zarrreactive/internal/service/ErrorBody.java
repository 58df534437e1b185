package dev.zarrreactive.internal.service;

import dev.zarrreactive.internal.http.SentRequest;
import dev.zarrreactive.internal.objects.XmlHead;
import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Reads the body of an error, of which it keeps only the start. */
final class ErrorBody {
  private static final int MOST_READ = 16 << 10;

  private ErrorBody() {}

  /** Emits the code in the body, such as {@code NoSuchKey}; empty text for none. */
  static Mono<String> code(Flux<ByteBuf> body) {
    return Mono.defer(
        () -> {
          StringBuilder head = new StringBuilder();
          return SentRequest.drain(body.doOnNext(part -> add(part, head)))
              .then(Mono.fromSupplier(() -> XmlHead.code(head.toString())));
        });
  }

  private static void add(ByteBuf part, StringBuilder head) {
    int count = Math.min(part.readableBytes(), MOST_READ - head.length());
    if (count > 0) {
      head.append(part.toString(part.readerIndex(), count, StandardCharsets.ISO_8859_1));
    }
  }
}
