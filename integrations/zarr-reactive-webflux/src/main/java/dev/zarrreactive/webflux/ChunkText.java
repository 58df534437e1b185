package dev.zarrreactive.webflux;

import dev.zarrreactive.array.Chunk;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.selection.Selection;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.encoding.Encoder;
import dev.zarrreactive.encoding.Encoding;
import dev.zarrreactive.encodings.Encodings;
import dev.zarrreactive.internal.threads.Environment;
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

  /**
   * Returns the text between two others, made as it is demanded: one piece ahead, on the threads of
   * codecs, since the thread that demands it is one of the network.
   */
  static Flux<Bytes> pieces(String before, Chunk chunk, String after) {
    NdArray data = chunk.data();
    ArrayMetadata described = ArrayMetadata.v3(data.shape(), data.dataType()).build();
    Encoder encoder = Encodings.json().encoder(described, Selection.all().resolve(data.shape()));
    String head = ChunkDocument.head(chunk).toString();
    String begin = before + head.substring(0, head.length() - 1) + ",\"values\":";
    Flux<Bytes> text =
        Flux.concat(
            List.of(
                Mono.fromSupplier(() -> Bytes.utf8(begin)),
                Mono.fromSupplier(encoder::begin),
                values(encoder, data),
                Mono.fromSupplier(
                    () -> Bytes.utf8(text(encoder.end()).stripTrailing() + "}" + after))));
    return text.publishOn(Environment.current().codecScheduler(), 1);
  }

  /** Returns the text in memory. */
  static Bytes whole(Chunk chunk) {
    return Bytes.utf8(ChunkDocument.of(chunk).toString());
  }

  /** Returns the elements of an array in a format, made as they are demanded. */
  static Flux<Bytes> elements(Encoding format, NdArray data) {
    ArrayMetadata described = ArrayMetadata.v3(data.shape(), data.dataType()).build();
    Encoder encoder = format.encoder(described, Selection.all().resolve(data.shape()));
    return Flux.concat(
        List.of(
            Mono.fromSupplier(encoder::begin),
            values(encoder, data),
            Mono.fromSupplier(encoder::end)));
  }

  /** The elements up to {@code next} are encoded, and those bytes of them are cut off. */
  private record Progress(Bytes encoded, int cut, int next) {}

  private static Flux<Bytes> values(Encoder encoder, NdArray data) {
    int count = (int) data.shape().elementCountUpTo(Integer.MAX_VALUE);
    return Flux.generate(
        () -> new Progress(Bytes.EMPTY, 0, 0),
        (before, sink) -> {
          Progress now = before;
          if (now.cut() == now.encoded().size() && now.next() < count) {
            Encoder.Part part = encoder.encode(data, now.next(), PIECE);
            now = new Progress(part.bytes(), 0, part.next()); // which may be all, as a view
          }
          int size = Math.min(PIECE, now.encoded().size() - now.cut());
          if (size == 0) {
            sink.complete();
            return now;
          }
          sink.next(now.encoded().slice(now.cut(), size));
          return new Progress(now.encoded(), now.cut() + size, now.next());
        });
  }

  private static String text(Bytes bytes) {
    return new String(bytes.toByteArray(), StandardCharsets.UTF_8);
  }
}
