package dev.zarrreactive.s3;

import dev.zarrreactive.s3.http.StallWatch;
import dev.zarrreactive.store.Bytes;
import java.nio.ByteBuffer;
import reactor.core.publisher.Flux;
import software.amazon.awssdk.core.async.AsyncRequestBody;

/** The body of a request, in small parts that report their progress. It copies no bytes. */
final class ValueBody {
  private static final int PART = 64 << 10;

  private ValueBody() {}

  /** Returns a body of all of {@code value}. */
  static AsyncRequestBody of(Bytes value, StallWatch watch) {
    int size = value.size();
    Flux<ByteBuffer> parts =
        Flux.range(0, (int) ((size + PART - 1L) / PART))
            .map(index -> part(value, index))
            .doOnNext(part -> watch.progressed());
    return size == 0 ? AsyncRequestBody.empty() : AsyncRequestBody.fromPublisher(parts);
  }

  private static ByteBuffer part(Bytes value, int index) {
    int offset = index * PART;
    return value.slice(offset, Math.min(PART, value.size() - offset)).asByteBuffer();
  }
}
