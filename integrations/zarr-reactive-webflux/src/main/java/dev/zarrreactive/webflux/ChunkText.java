package dev.zarrreactive.webflux;

import dev.zarrreactive.array.Chunk;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.selection.Selection;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.encoding.Encoder;
import dev.zarrreactive.encodings.Encodings;
import dev.zarrreactive.jackson.ChunkDocument;
import dev.zarrreactive.metadata.ArrayMetadata;
import java.nio.charset.StandardCharsets;
import java.util.List;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** The text of a {@link ChunkDocument}, on one line, in pieces for a network. */
final class ChunkText {
  private static final int PIECE = 16 << 10;

  private ChunkText() {}

  /** Returns the text between two others, made as it is demanded. */
  static Flux<Bytes> pieces(String before, Chunk chunk, String after) {
    NdArray data = chunk.data();
    ArrayMetadata described = ArrayMetadata.v3(data.shape(), data.dataType()).build();
    Encoder encoder = Encodings.json().encoder(described, Selection.all().resolve(data.shape()));
    String head = ChunkDocument.head(chunk).toString();
    String begin = before + head.substring(0, head.length() - 1) + ",\"values\":";
    return Flux.concat(
        List.of(
            Mono.fromSupplier(() -> Bytes.utf8(begin)),
            Mono.fromSupplier(encoder::begin),
            values(encoder, data),
            Mono.fromSupplier(
                () -> Bytes.utf8(text(encoder.end()).stripTrailing() + "}" + after))));
  }

  /** Returns the text in memory. */
  static Bytes whole(Chunk chunk) {
    return Bytes.utf8(ChunkDocument.of(chunk).toString());
  }

  private static Flux<Bytes> values(Encoder encoder, NdArray data) {
    int count = (int) data.shape().elementCountUpTo(Integer.MAX_VALUE);
    return Flux.generate(
        () -> 0,
        (from, sink) -> {
          if (from == count) {
            sink.complete();
            return from;
          }
          Encoder.Part part = encoder.encode(data, from, PIECE);
          sink.next(part.bytes());
          return part.next();
        });
  }

  private static String text(Bytes bytes) {
    return new String(bytes.toByteArray(), StandardCharsets.UTF_8);
  }
}
