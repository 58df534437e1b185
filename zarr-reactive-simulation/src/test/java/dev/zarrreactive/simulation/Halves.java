package dev.zarrreactive.simulation;

import dev.zarrreactive.ReadWork;
import dev.zarrreactive.ZarrArray;
import dev.zarrreactive.array.ElementConversion;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.ResolvedSelection;
import dev.zarrreactive.array.selection.Selection;
import dev.zarrreactive.datatype.DataType;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.encoding.Encoder;
import dev.zarrreactive.encoding.Encoding;
import dev.zarrreactive.metadata.ArrayMetadata;
import dev.zarrreactive.store.Bytes;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Optional;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Decoded elements, as a dataset reads them: the halves of {@code int32}, in {@code float64}. */
final class Halves {
  private static final ElementConversion CONVERSION = new Conversion();

  private Halves() {}

  static Mono<NdArray> read(ZarrArray array, Selection selection) {
    return ReadWork.of(array).read(selection, CONVERSION);
  }

  static Flux<Bytes> bytes(ZarrArray array, Selection selection, int pieceSize) {
    return array.encode(selection, new Raw(Encoding.raw(ByteOrder.LITTLE_ENDIAN)), pieceSize);
  }

  /** Returns the stored element of a half; another one where none has it. */
  static int stored(double half) {
    return 2 * half == Math.rint(2 * half) ? (int) (2 * half) : Integer.MIN_VALUE;
  }

  private static final class Conversion implements ElementConversion {
    @Override
    public DataType target() {
      return DataTypes.FLOAT64;
    }

    @Override
    public void convert(byte[] source, int at, int count, byte[] result, int to) {
      ByteBuffer stored = ByteBuffer.wrap(source).order(ByteOrder.LITTLE_ENDIAN);
      ByteBuffer halves = ByteBuffer.wrap(result).order(ByteOrder.LITTLE_ENDIAN);
      for (int i = 0; i < count; i++) {
        double half = stored.getInt(at + i * Integer.BYTES) / 2.0;
        halves.putDouble(to + i * Double.BYTES, half);
      }
    }
  }

  private record Raw(Encoding images) implements Encoding {
    @Override
    public String mediaType() {
      return images.mediaType();
    }

    @Override
    public String fileSuffix() {
      return images.fileSuffix();
    }

    @Override
    public Encoder encoder(ArrayMetadata array, ResolvedSelection selection) {
      Encoder encoder = images.encoder(array, selection);
      return new Encoder() {
        @Override
        public Optional<ElementConversion> conversion() {
          return Optional.of(CONVERSION);
        }

        @Override
        public Part encode(NdArray band, int from, int size) {
          return encoder.encode(band, from, size);
        }
      };
    }
  }
}
