package dev.zarrreactive.webflux;

import dev.zarrreactive.array.Chunk;
import dev.zarrreactive.base.Bytes;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import org.springframework.core.ResolvableType;
import org.springframework.core.codec.AbstractEncoder;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DataBufferFactory;
import org.springframework.core.io.buffer.DataBufferUtils;
import org.springframework.http.MediaType;
import org.springframework.http.codec.HttpMessageEncoder;
import org.springframework.util.MimeType;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Encodes a stream of chunks as JSON lines or as a list of JSON, and a single chunk as one object.
 * One chunk is demanded at a time, and its text is made in pieces as they are demanded.
 */
final class ChunkJsonEncoder extends AbstractEncoder<Chunk> implements HttpMessageEncoder<Chunk> {
  ChunkJsonEncoder() {
    super(MediaType.APPLICATION_NDJSON, MediaType.APPLICATION_JSON);
  }

  @Override
  public List<MediaType> getStreamingMediaTypes() {
    return List.of(MediaType.APPLICATION_NDJSON);
  }

  @Override
  public boolean canEncode(ResolvableType elementType, @Nullable MimeType mimeType) {
    return super.canEncode(elementType, mimeType) && elementType.toClass() == Chunk.class;
  }

  @Override
  public Flux<DataBuffer> encode(
      Publisher<? extends Chunk> chunks,
      DataBufferFactory factory,
      ResolvableType elementType,
      @Nullable MimeType mimeType,
      @Nullable Map<String, Object> hints) {
    boolean isList =
        mimeType != null
            && mimeType.isCompatibleWith(MediaType.APPLICATION_JSON)
            && !mimeType.isCompatibleWith(MediaType.APPLICATION_NDJSON);
    if (chunks instanceof Mono) { // Spring wants one buffer for it
      return DataBufferUtils.join(DataBuffers.of(each(chunks, isList ? "" : "\n"), factory)).flux();
    }
    return DataBuffers.of(isList ? list(chunks) : each(chunks, "\n"), factory);
  }

  @Override
  public DataBuffer encodeValue(
      Chunk chunk,
      DataBufferFactory factory,
      ResolvableType valueType,
      @Nullable MimeType mimeType,
      @Nullable Map<String, Object> hints) {
    return DataBuffers.of(ChunkText.whole(chunk), factory);
  }

  private static Flux<Bytes> each(Publisher<? extends Chunk> chunks, String end) {
    return Flux.<Chunk>from(chunks).concatMap(chunk -> ChunkText.pieces("", chunk, end), 1);
  }

  /** The bracket comes with the first chunk, so that an error before it has a status. */
  private static Flux<Bytes> list(Publisher<? extends Chunk> chunks) {
    return Flux.<Chunk>from(chunks)
        .index()
        .concatMap(
            counted -> ChunkText.pieces(counted.getT1() == 0 ? "[" : ",", counted.getT2(), ""), 1)
        .switchIfEmpty(Mono.fromSupplier(() -> Bytes.utf8("[")))
        .concatWithValues(Bytes.utf8("]"));
  }
}
