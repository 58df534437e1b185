package dev.zarrreactive.internal.codec.transpose;

import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.codec.ArrayToArrayCodec;
import dev.zarrreactive.codec.ChunkRepresentation;
import dev.zarrreactive.datatype.VariableLengthType;
import dev.zarrreactive.extension.NamedConfiguration;
import dev.zarrreactive.json.JsonString;
import dev.zarrreactive.json.LocatedJson;
import java.util.Arrays;
import java.util.List;

/**
 * The {@code transpose} codec: permutes the dimensions. Dimension {@code i} of the encoded chunk is
 * dimension {@code order[i]} of the decoded one.
 */
final class TransposeCodec implements ArrayToArrayCodec {
  static final String NAME = "transpose";

  private final NamedConfiguration configuration;
  private final int[] order;
  private final int[] inverse;

  private TransposeCodec(NamedConfiguration configuration, int[] order) {
    this.configuration = configuration;
    this.order = order;
    this.inverse = new int[order.length];
    for (int i = 0; i < order.length; i++) {
      inverse[order[i]] = i;
    }
  }

  static TransposeCodec of(NamedConfiguration use) {
    use.configuration().allowOnly("order");
    return new TransposeCodec(use, permutation(use.member("order")));
  }

  private static int[] permutation(LocatedJson json) {
    if (json.value() instanceof JsonString) {
      throw json.error(
          "expected a permutation, for example [1, 0], found "
              + json.value()
              + "; \"C\" and \"F\" are of the drafts before Zarr v3 was accepted: \"C\" is [0, 1,"
              + " ...], \"F\" is [..., 1, 0]");
    }
    List<LocatedJson> elements = json.elements();
    int[] order = new int[elements.size()];
    boolean[] seen = new boolean[order.length];
    for (int i = 0; i < order.length; i++) {
      order[i] = elements.get(i).integer(0, order.length - 1);
      if (seen[order[i]]) {
        throw elements.get(i).error(order[i] + " is there twice: not a permutation");
      }
      seen[order[i]] = true;
    }
    return order;
  }

  @Override
  public NamedConfiguration configuration() {
    return configuration;
  }

  @Override
  public ChunkRepresentation encodedRepresentation(ChunkRepresentation decoded) {
    int rank = decoded.shape().rank();
    if (rank != order.length) {
      throw configuration
          .member("order")
          .error(
              "the order "
                  + Arrays.toString(order)
                  + " is for "
                  + order.length
                  + " dimensions, but the chunk has "
                  + rank);
    }
    return new ChunkRepresentation(
        permuted(decoded.shape(), order), decoded.dataType(), decoded.fillValue());
  }

  @Override
  public NdArray encode(NdArray decoded) {
    return transposed(decoded, order);
  }

  @Override
  public NdArray decode(NdArray encoded, ChunkRepresentation decoded) {
    Shape expected = permuted(decoded.shape(), order);
    if (!encoded.shape().equals(expected)) {
      throw new IllegalArgumentException(
          "expected an encoded chunk of shape " + expected + ", not " + encoded.shape());
    }
    return transposed(encoded, inverse);
  }

  private static NdArray transposed(NdArray array, int[] order) {
    if (array.dataType() instanceof VariableLengthType) {
      return array.transpose(order).toContiguous();
    }
    Shape shape = permuted(array.shape(), order);
    Bytes bytes =
        Transposition.of(array.shape(), order, array.dataType().itemSize()).apply(array.bytes());
    return NdArray.wrap(array.dataType(), shape, bytes);
  }

  private static Shape permuted(Shape shape, int[] order) {
    long[] extents = new long[order.length];
    for (int i = 0; i < order.length; i++) {
      extents[i] = shape.extent(order[i]);
    }
    return Shape.of(extents);
  }
}
