package dev.zarrreactive.webflux;

import dev.zarrreactive.array.Chunk;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.selection.Selection;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.datatype.VariableLengthType;
import dev.zarrreactive.encoding.Encoding;
import dev.zarrreactive.encodings.Encodings;
import dev.zarrreactive.error.UnsupportedFeatureException;
import dev.zarrreactive.jackson.ChunkDocument;
import dev.zarrreactive.metadata.ArrayMetadata;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** A binary form of chunks that follow one another, in pieces for a network. */
abstract class ChunkFrames {
  abstract MediaType mediaType();

  /** Returns what stands before the elements. */
  abstract Bytes head(Chunk chunk, Encoding format, long size);

  abstract Encoding format();

  /** Returns what stands behind the elements of a chunk. */
  abstract Bytes tail();

  /** Returns what stands behind the last chunk. */
  abstract Bytes end();

  /** Returns a chunk, made as it is demanded. */
  final Flux<Bytes> pieces(Chunk chunk) {
    NdArray data = chunk.data();
    if (data.dataType() instanceof VariableLengthType) {
      return Flux.error(
          new RefusedSliceException(
              HttpStatus.NOT_ACCEPTABLE.value(),
              "chunks of "
                  + data.dataType()
                  + " have no binary form; accept"
                  + " application/x-ndjson or text/event-stream"));
    }
    ArrayMetadata described = ArrayMetadata.v3(data.shape(), data.dataType()).build();
    Encoding format = format();
    return Flux.defer(
        () -> {
          long size;
          try {
            size = format.length(described, Selection.all()).orElseThrow();
          } catch (UnsupportedFeatureException e) {
            throw new RefusedSliceException(HttpStatus.NOT_ACCEPTABLE.value(), e.statement());
          }
          return Flux.concat(
              List.of(
                  Mono.fromSupplier(() -> head(chunk, format, size)),
                  ChunkText.elements(format, data),
                  Mono.fromSupplier(this::tail)));
        });
  }

  private static String extents(long... extents) {
    return Arrays.stream(extents).mapToObj(Long::toString).collect(Collectors.joining(","));
  }

  /**
   * Frames: the length of the head (unsigned 32 bits) and of the elements (unsigned 64 bits), the
   * head, a JSON object in UTF-8, and the elements in C order; all little-endian. Spaces behind the
   * object make twelve bytes and the head a multiple of 8.
   */
  static final class LengthFirst extends ChunkFrames {
    private static final int LENGTHS = Integer.BYTES + Long.BYTES;

    @Override
    MediaType mediaType() {
      return ChunkStreamWriter.FRAMES;
    }

    @Override
    Encoding format() {
      return Encoding.raw(ByteOrder.LITTLE_ENDIAN);
    }

    @Override
    Bytes head(Chunk chunk, Encoding format, long size) {
      byte[] json =
          ChunkDocument.head(chunk)
              .with("data_type", chunk.data().dataType().toMetadata())
              .toString()
              .getBytes(StandardCharsets.UTF_8);
      int padded = (LENGTHS + json.length + Long.BYTES - 1) / Long.BYTES * Long.BYTES;
      ByteBuffer head = ByteBuffer.allocate(padded).order(ByteOrder.LITTLE_ENDIAN);
      head.putInt(padded - LENGTHS).putLong(size).put(json);
      while (head.hasRemaining()) {
        head.put((byte) ' ');
      }
      return Bytes.wrap(head.array());
    }

    @Override
    Bytes tail() {
      return Bytes.EMPTY;
    }

    @Override
    Bytes end() {
      return Bytes.EMPTY;
    }
  }

  /** Parts of {@code multipart/mixed}, whose headers say which chunk it is. */
  static final class Parts extends ChunkFrames {
    private final String boundary;

    Parts(String boundary) {
      this.boundary = boundary;
    }

    @Override
    MediaType mediaType() {
      return MediaType.parseMediaType("multipart/mixed;boundary=" + boundary);
    }

    @Override
    Encoding format() {
      return Encodings.npy();
    }

    @Override
    Bytes head(Chunk chunk, Encoding format, long size) {
      long[] inner = chunk.innerIndex();
      return Bytes.utf8(
          "--"
              + boundary
              + "\r\nContent-Type: "
              + format.mediaType()
              + "\r\nContent-Length: "
              + size
              + "\r\nZarr-Index: "
              + extents(chunk.index())
              + (inner == null ? "" : "\r\nZarr-Inner-Index: " + extents(inner))
              + "\r\nZarr-Selection: "
              + chunk.selection()
              + "\r\nZarr-Shape: "
              + extents(chunk.data().shape().toArray())
              + "\r\n\r\n");
    }

    @Override
    Bytes tail() {
      return Bytes.utf8("\r\n");
    }

    @Override
    Bytes end() {
      return Bytes.utf8("--" + boundary + "--\r\n");
    }
  }
}
