package dev.zarrreactive.internal.encode;

import dev.zarrreactive.array.ElementConversion;
import dev.zarrreactive.array.ElementMemory;
import dev.zarrreactive.array.ResolvedSelection;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.datatype.DataType;
import dev.zarrreactive.datatype.VariableLengthType;
import dev.zarrreactive.encoding.Encoder;
import dev.zarrreactive.encoding.Encoding;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.UnsupportedFeatureException;
import dev.zarrreactive.error.ZarrException;
import dev.zarrreactive.internal.context.ArrayStorage;
import dev.zarrreactive.internal.read.ChunkReader;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Reads the encoded elements of a selection, in C order: as a stream of pieces, or into a buffer.
 */
public final class EncodedReader {
  /** The bytes that are copied into a direct buffer at a time. */
  private static final int PIECE = 1 << 20;

  private final ArrayStorage array;
  private final ChunkReader reader;

  /**
   * Creates a reader of the elements of {@code array}.
   *
   * @param reader reads the chunks of the array
   */
  public EncodedReader(ArrayStorage array, ChunkReader reader) {
    this.array = array;
    this.reader = reader;
  }

  /** Reads the stored elements of the selection into a buffer. */
  public Mono<ByteBuffer> readInto(ResolvedSelection selection, ByteBuffer target) {
    return readInto(selection, null, target);
  }

  /**
   * Reads the selection into a buffer with enough room, at its position: straight into the array of
   * a heap buffer, and in bands of chunks into a direct one.
   *
   * @param conversion makes the elements of the buffer, one for one; null for those that are stored
   * @return the part of the buffer that was written, in little-endian order
   * @throws IllegalArgumentException if too few bytes remain in the buffer, it is read-only, or
   *     elements are joined
   */
  public Mono<ByteBuffer> readInto(
      ResolvedSelection selection, @Nullable ElementConversion conversion, ByteBuffer target) {
    if (conversion != null && conversion.joined().isPresent()) {
      throw new IllegalArgumentException(
          "a buffer takes elements one for one; read(selection) joins them");
    }
    Encoding raw = Encoding.raw(ByteOrder.LITTLE_ENDIAN);
    Encoding images = conversion == null ? raw : raw.converted(conversion);
    DataType type = type(conversion);
    checkRoom(selection.shape(), type, target);
    ByteBuffer from = target.slice();
    return Mono.defer(
        () -> {
          array.checks().fixedSize();
          array.checks().fixedSize(type);
          int size = selection.shape().byteSize(type.itemSize());
          ByteBuffer part = from.slice(0, size).order(ByteOrder.LITTLE_ENDIAN);
          if (!part.hasArray()) {
            ByteBuffer rest = part.duplicate();
            return encode(selection, images, PIECE)
                .doOnNext(piece -> rest.put(piece.asByteBuffer()))
                .then(Mono.just(part));
          }
          ElementMemory memory =
              ElementMemory.wrap(type, part.array(), part.arrayOffset(), size / type.itemSize());
          return reader.readInto(selection, conversion, memory).thenReturn(part);
        });
  }

  /** Returns the type of the elements that a conversion makes. */
  private DataType type(@Nullable ElementConversion conversion) {
    return conversion == null ? array.metadata().dataType() : conversion.target();
  }

  private static void checkRoom(Shape selected, DataType type, ByteBuffer target) {
    if (type instanceof VariableLengthType) {
      return; // the read is refused
    }
    int room = target.remaining() / type.itemSize();
    if (target.isReadOnly() || selected.elementCountUpTo(room + 1L) > room) {
      throw new IllegalArgumentException(
          String.format(
              "a %s of %d remaining bytes has no room for %s elements of %s, of %d bytes each",
              target.isReadOnly() ? "read-only buffer" : "buffer",
              target.remaining(),
              selected.elementCount(),
              type,
              type.itemSize()));
    }
  }

  /**
   * Streams the encoded selection in C order, in pieces.
   *
   * @param pieceSize the most bytes of a piece
   */
  public Flux<Bytes> encode(ResolvedSelection selection, Encoding encoding, int pieceSize) {
    return encode(selection, encoding, pieceSize, encoder -> ByteWindow.all());
  }

  /**
   * Streams a part of the encoded selection, in pieces. Bands outside are not read.
   *
   * @param offset the first byte
   */
  public Flux<Bytes> encode(
      ResolvedSelection selection, Encoding encoding, long offset, long count, int pieceSize) {
    if (offset < 0 || count < 0) {
      throw new IllegalArgumentException(
          "offset and count must be at least 0, not " + offset + " and " + count);
    }
    DataType type = type(encoding.conversion().orElse(null));
    long end = count > Long.MAX_VALUE - offset ? Long.MAX_VALUE : offset + count;
    return encode(
        selection,
        encoding,
        pieceSize,
        encoder -> {
          if (type instanceof VariableLengthType || !encoder.isFixedSize()) {
            throw new UnsupportedFeatureException(
                "a range of bytes needs a format in which all elements have the size of their data"
                    + " type: raw or .npy",
                Location.UNKNOWN);
          }
          return new ByteWindow(offset, end, encoder.begin().size());
        });
  }

  private Flux<Bytes> encode(
      ResolvedSelection selection,
      Encoding encoding,
      int pieceSize,
      Function<Encoder, ByteWindow> window) {
    if (pieceSize < 1) {
      throw new IllegalArgumentException("pieceSize must be at least 1, not " + pieceSize);
    }
    return Flux.defer(
            () -> {
              Encoder encoder = encoding.encoder(array.metadata(), selection);
              array.checks().readable();
              ByteWindow part = window.apply(encoder);
              AtomicInteger streams = array.context().streams();
              return Flux.using(
                  streams::incrementAndGet,
                  count -> {
                    ElementConversion by = encoding.conversion().orElse(null);
                    BandPlan plan = new BandPlan(array, selection, by, count);
                    return new BandStream(array, reader, plan, encoder, by, pieceSize, part)
                        .pieces();
                  },
                  count -> streams.decrementAndGet());
            })
        .onErrorMap(ZarrException.class, e -> e.at(Location.ofNode(array.path().value())));
  }
}
