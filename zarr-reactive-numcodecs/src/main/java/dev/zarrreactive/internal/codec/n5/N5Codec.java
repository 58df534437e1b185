package dev.zarrreactive.internal.codec.n5;

import dev.zarrreactive.array.ElementMemory;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.array.selection.Selection;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.chunkgrid.ChunkGrid;
import dev.zarrreactive.codec.ArrayToBytesCodec;
import dev.zarrreactive.codec.ChunkRepresentation;
import dev.zarrreactive.codec.CodecChain;
import dev.zarrreactive.codec.CodecRegistry;
import dev.zarrreactive.codec.SizeBound;
import dev.zarrreactive.datatype.DataType;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.datatype.IntegerType;
import dev.zarrreactive.error.CodecException;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.extension.NamedConfiguration;
import dev.zarrreactive.internal.planning.ChunkPlan;
import dev.zarrreactive.json.LocatedJson;
import java.util.List;

/**
 * The codec {@code n5_default}: a chunk is a block of N5, a header and the elements encoded by a
 * chain of codecs. The header holds the shape of the block. N5 writes its last blocks cropped or
 * padded: elements that the block lacks are fill value, and elements outside the chunk are left
 * out.
 */
final class N5Codec implements ArrayToBytesCodec {
  static final String NAME = "n5_default";

  /** The largest surplus of a block over its chunk that is decoded, against hostile blocks. */
  private static final long LARGEST_SURPLUS = 32 << 20;

  private final NamedConfiguration configuration;
  private final CodecChain chain;
  private final boolean withEndian;

  private N5Codec(NamedConfiguration configuration, CodecChain chain, boolean withEndian) {
    this.configuration = configuration;
    this.chain = chain;
    this.withEndian = withEndian;
  }

  static N5Codec of(NamedConfiguration use, CodecRegistry registry) {
    use.configuration().allowOnly("codecs");
    LocatedJson list = use.member("codecs");
    List<NamedConfiguration> codecs =
        list.elements().stream().map(NamedConfiguration::parse).toList();
    if (codecs.size() < 2 || codecs.size() > 3) {
      throw list.expected("\"transpose\", \"bytes\" and at most one codec more");
    }
    checkReversal(named("transpose", codecs.get(0)));
    LocatedJson endian = named("bytes", codecs.get(1)).optional("endian");
    if (endian != null) {
      endian.oneOf("big");
    }
    return new N5Codec(use, CodecChain.of(codecs, list, registry), endian != null);
  }

  private static NamedConfiguration named(String name, NamedConfiguration codec) {
    if (!codec.name().equals(name)) {
      throw codec.source().expected("the codec \"" + name + "\"");
    }
    return codec;
  }

  /** Checks that the chain reverses the dimensions: in N5 the first one varies fastest. */
  private static void checkReversal(NamedConfiguration transpose) {
    LocatedJson order = transpose.member("order");
    long[] dimensions = order.integers(0, Integer.MAX_VALUE);
    for (int d = 0; d < dimensions.length; d++) {
      if (dimensions[d] != dimensions.length - 1 - d) {
        throw order.expected("the dimensions in reverse, [..., 1, 0]");
      }
    }
  }

  @Override
  public NamedConfiguration configuration() {
    return configuration;
  }

  @Override
  public SizeBound encodedSize(ChunkRepresentation decoded) {
    checkType(decoded.dataType());
    // a block that is cropped is smaller
    long most = chain.bind(decoded).encodedSize().plus(N5Header.size(rank(decoded))).bytes();
    return SizeBound.atMost(most);
  }

  private void checkType(DataType type) {
    boolean known =
        type instanceof IntegerType integer
            ? integer.bits() >= Byte.SIZE
            : type.equals(DataTypes.FLOAT32) || type.equals(DataTypes.FLOAT64);
    if (!known) {
      throw configuration.error(
          "N5 has integers of 8 to 64 bits, float32 and float64, not " + type);
    }
    if (type.hasByteOrder() && !withEndian) {
      throw configuration
          .member("codecs")
          .error("the codec \"bytes\" needs \"endian\": \"big\" for " + type);
    }
  }

  private static int rank(ChunkRepresentation chunk) {
    return chunk.shape().rank();
  }

  @Override
  public Bytes encode(NdArray decoded, ChunkRepresentation representation) {
    byte[] header = N5Header.write(decoded.shape());
    Bytes elements = chain.bind(representation).encode(decoded);
    byte[] block = new byte[Math.addExact(header.length, elements.size())];
    System.arraycopy(header, 0, block, 0, header.length);
    elements.copyTo(0, block, header.length, elements.size());
    return Bytes.wrap(block);
  }

  @Override
  public NdArray decode(Bytes encoded, ChunkRepresentation decoded) {
    int header = N5Header.size(rank(decoded));
    Shape shape = N5Header.read(encoded, rank(decoded));
    ChunkRepresentation stored =
        new ChunkRepresentation(shape, decoded.dataType(), decoded.fillValue());
    if (stored.byteSize() > Math.max(decoded.byteSize(), LARGEST_SURPLUS)) {
      throw new CodecException(
          "the block has the shape " + shape + ", far more than the chunk's " + decoded.shape(),
          Location.UNKNOWN);
    }
    Bytes elements = encoded.slice(header, encoded.size() - header);
    NdArray block = chain.bind(stored).decode(elements);
    return shape.equals(decoded.shape()) ? block : fitted(block, decoded);
  }

  /** Returns the chunk that begins at the first element of the block. */
  private static NdArray fitted(NdArray block, ChunkRepresentation chunk) {
    NdArray filled = NdArray.filled(chunk.shape(), chunk.fillValue());
    ElementMemory fitted = ElementMemory.allocate(chunk.dataType(), chunk.shape());
    fitted.copyFrom(ElementMemory.of(filled), 0);
    ChunkGrid blocks = ChunkGrid.regular(chunk.shape(), block.shape());
    ChunkPlan.of(Selection.all().resolve(chunk.shape()), blocks)
        .iterator()
        .next()
        .region()
        .copyToResult(ElementMemory.of(block), fitted);
    return fitted.toNdArray(chunk.shape());
  }
}
