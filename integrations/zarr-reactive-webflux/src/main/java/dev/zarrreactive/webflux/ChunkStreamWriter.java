package dev.zarrreactive.webflux;

import dev.zarrreactive.array.Chunk;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.internal.threads.Environment;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import org.springframework.core.ResolvableType;
import org.springframework.http.MediaType;
import org.springframework.http.ReactiveHttpOutputMessage;
import org.springframework.http.codec.HttpMessageWriter;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Writes a stream of chunks in binary: as frames with their length before them, or as the parts of
 * a multipart body, each of which is a NumPy file. One chunk is demanded at a time.
 */
final class ChunkStreamWriter implements HttpMessageWriter<Chunk> {
  static final MediaType FRAMES = new MediaType("application", "x-zarr-chunks");

  @Override
  public List<MediaType> getWritableMediaTypes() {
    return List.of(FRAMES, MediaType.MULTIPART_MIXED);
  }

  @Override
  public boolean canWrite(ResolvableType elementType, @Nullable MediaType mediaType) {
    return elementType.toClass() == Chunk.class
        && (mediaType == null
            || mediaType.isCompatibleWith(FRAMES)
            || mediaType.isCompatibleWith(MediaType.MULTIPART_MIXED));
  }

  @Override
  public Mono<Void> write(
      Publisher<? extends Chunk> chunks,
      ResolvableType elementType,
      @Nullable MediaType mediaType,
      ReactiveHttpOutputMessage message,
      Map<String, Object> hints) {
    boolean isMultipart = mediaType != null && !mediaType.isCompatibleWith(FRAMES);
    ChunkFrames frames =
        isMultipart ? new ChunkFrames.Parts(boundary()) : new ChunkFrames.LengthFirst();
    message.getHeaders().setContentType(frames.mediaType());
    Flux<Bytes> pieces = Flux.<Chunk>from(chunks).concatMap(frames::pieces, 1);
    return message.writeAndFlushWith(
        DataBuffers.of(pieces.concatWithValues(frames.end()), message.bufferFactory())
            .filter(buffer -> buffer.readableByteCount() > 0)
            .map(Mono::just));
  }

  /** Returns 128 random bits, which no chunk has by chance. */
  private static String boundary() {
    Environment environment = Environment.current();
    return String.format(
        "zarr-%016x%016x",
        environment.random(Long.MIN_VALUE, Long.MAX_VALUE),
        environment.random(Long.MIN_VALUE, Long.MAX_VALUE));
  }
}
