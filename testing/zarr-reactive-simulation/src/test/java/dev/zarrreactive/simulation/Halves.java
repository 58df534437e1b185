package dev.zarrreactive.simulation;

import dev.zarrreactive.ZarrArray;
import dev.zarrreactive.array.ElementConversion;
import dev.zarrreactive.array.ElementMemory;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.array.selection.Selection;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.datatype.DataType;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.encoding.Encoding;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Decoded elements, as a dataset reads them: the halves of {@code int32}, in {@code float64}. */
final class Halves {
  private static final ElementConversion CONVERSION = new Conversion();

  private Halves() {}

  static Mono<NdArray> read(ZarrArray array, Selection selection) {
    return array.read(selection, CONVERSION);
  }

  /** Reads into memory that has other elements. */
  static Mono<NdArray> readInto(ZarrArray array, Selection selection) {
    return Mono.defer(
        () -> {
          Shape shape = selection.resolve(array.shape()).shape();
          byte[] memory = new byte[shape.byteSize(Double.BYTES)];
          Arrays.fill(memory, (byte) 0x5a);
          return array
              .readInto(selection, CONVERSION, ByteBuffer.wrap(memory))
              .map(part -> NdArray.wrap(DataTypes.FLOAT64, shape, Bytes.wrap(memory)));
        });
  }

  static Flux<Bytes> bytes(ZarrArray array, Selection selection, int pieceSize) {
    return array.encode(
        selection, Encoding.raw(ByteOrder.LITTLE_ENDIAN).converted(CONVERSION), pieceSize);
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
    public void convert(byte[] source, int at, int count, ElementMemory result, int first) {
      ByteBuffer stored = ByteBuffer.wrap(source).order(ByteOrder.LITTLE_ENDIAN);
      ByteBuffer halves = ByteBuffer.wrap((byte[]) result.array()).order(ByteOrder.LITTLE_ENDIAN);
      for (int i = 0; i < count; i++) {
        double half = stored.getInt(at + i * Integer.BYTES) / 2.0;
        halves.putDouble(result.slot(first + i), half);
      }
    }
  }
}
