package dev.zarrreactive.s3;

import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.internal.objects.ValuePart;
import dev.zarrreactive.internal.s3.http.StallWatch;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.stream.IntStream;
import reactor.core.publisher.Flux;
import software.amazon.awssdk.core.async.AsyncRequestBody;

/** The body of a request, in small parts that report their progress. It copies no bytes. */
final class ValueBody {
  private static final int PART = 64 << 10;

  private ValueBody() {}

  /** Returns a body of all pieces of {@code value}. */
  static AsyncRequestBody of(List<Bytes> value, StallWatch watch) {
    Flux<ByteBuffer> parts =
        Flux.fromIterable(value)
            .concatMapIterable(ValueBody::parts)
            .doOnNext(part -> watch.progressed());
    return ValuePart.size(value) == 0
        ? AsyncRequestBody.empty()
        : AsyncRequestBody.fromPublisher(parts);
  }

  private static Iterable<ByteBuffer> parts(Bytes piece) {
    int count = (int) ((piece.size() + PART - 1L) / PART);
    return () -> IntStream.range(0, count).mapToObj(index -> part(piece, index)).iterator();
  }

  private static ByteBuffer part(Bytes value, int index) {
    int offset = index * PART;
    return value.slice(offset, Math.min(PART, value.size() - offset)).asByteBuffer();
  }
}
