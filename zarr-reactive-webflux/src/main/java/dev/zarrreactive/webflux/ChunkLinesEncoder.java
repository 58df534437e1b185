package dev.zarrreactive.webflux;

import dev.zarrreactive.array.Chunk;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.selection.Selection;
import dev.zarrreactive.encoding.Encoder;
import dev.zarrreactive.encoding.Encoding;
import dev.zarrreactive.json.JsonArray;
import dev.zarrreactive.json.JsonObject;
import dev.zarrreactive.json.JsonText;
import dev.zarrreactive.metadata.ArrayMetadata;
import dev.zarrreactive.store.Bytes;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import org.springframework.core.ResolvableType;
import org.springframework.core.codec.AbstractEncoder;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DataBufferFactory;
import org.springframework.http.MediaType;
import org.springframework.http.codec.HttpMessageEncoder;
import org.springframework.util.MimeType;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Encodes a stream of chunks as JSON lines: the index of each chunk, the part of the array that it
 * is, its shape and its values in lists. One chunk is demanded at a time, and its text is made in
 * pieces as they are demanded.
 */
final class ChunkLinesEncoder extends AbstractEncoder<Chunk> implements HttpMessageEncoder<Chunk> {
  private static final int PIECE = 16 << 10;

  ChunkLinesEncoder() {
    super(MediaType.APPLICATION_NDJSON);
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
    return DataBuffers.of(Flux.<Chunk>from(chunks).concatMap(ChunkLinesEncoder::line, 1), factory);
  }

  private static Flux<Bytes> line(Chunk chunk) {
    NdArray data = chunk.data();
    ArrayMetadata described = ArrayMetadata.v3(data.shape(), data.dataType()).build();
    Encoder encoder = Encoding.json().encoder(described, Selection.all().resolve(data.shape()));
    String head = JsonText.write(head(chunk));
    return Flux.concat(
        List.of(
            Mono.just(Bytes.utf8(head.substring(0, head.length() - 1) + ",\"values\":")),
            Mono.fromSupplier(encoder::begin),
            values(encoder, data),
            Mono.fromSupplier(() -> Bytes.utf8(text(encoder.end()).stripTrailing() + "}\n"))));
  }

  private static JsonObject head(Chunk chunk) {
    JsonObject head = JsonObject.EMPTY.with("index", JsonArray.ofIntegers(chunk.index()));
    long[] inner = chunk.innerIndex();
    if (inner != null) {
      head = head.with("inner_index", JsonArray.ofIntegers(inner));
    }
    return head.with("selection", chunk.selection().toString())
        .with("shape", JsonArray.ofIntegers(chunk.data().shape().toArray()));
  }

  private static Flux<Bytes> values(Encoder encoder, NdArray data) {
    int count = (int) data.shape().elementCountUpTo(Integer.MAX_VALUE);
    return Flux.generate(
        () -> 0,
        (from, sink) -> {
          Encoder.Part part = encoder.encode(data, from, PIECE);
          sink.next(part.bytes());
          if (part.next() == count) {
            sink.complete();
          }
          return part.next();
        });
  }

  private static String text(Bytes bytes) {
    return new String(bytes.toByteArray(), StandardCharsets.UTF_8);
  }
}
