package dev.zarrreactive.internal.codec.sharding;

import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.base.ByteRange;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.chunkgrid.ChunkGrid;
import dev.zarrreactive.codec.ChunkCodec;
import dev.zarrreactive.codec.ChunkRepresentation;
import dev.zarrreactive.codec.CodecChain;
import dev.zarrreactive.codec.ShardIndex;
import dev.zarrreactive.codec.ShardLayout;
import dev.zarrreactive.codec.SizeBound;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.datatype.FillValue;
import dev.zarrreactive.datatype.VariableLengthType;
import dev.zarrreactive.error.ChecksumMismatchException;
import dev.zarrreactive.error.CodecException;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.json.LocatedJson;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The layout of shards of one representation. */
final class Shard implements ShardLayout {
  private static final FillValue MISSING =
      FillValue.of(DataTypes.UINT64, new byte[] {-1, -1, -1, -1, -1, -1, -1, -1});

  /** The bytes that the headers of some compressors add to a chunk of few bytes. */
  private static final int CHUNK_OVERHEAD = 128;

  private final ChunkRepresentation shard;
  private final ChunkGrid grid;
  private final ChunkCodec inner;
  private final ChunkCodec index;
  private final boolean indexAtStart;

  Shard(
      ChunkRepresentation shard,
      LocatedJson innerShape,
      CodecChain inner,
      LocatedJson indexCodecs,
      CodecChain index,
      boolean indexAtStart) {
    this.shard = shard;
    this.indexAtStart = indexAtStart;
    Shape chunk = innerShape(innerShape, shard.shape());
    this.grid = ChunkGrid.regular(shard.shape(), chunk);
    this.inner = inner.bind(new ChunkRepresentation(chunk, shard.dataType(), shard.fillValue()));
    this.index = index.bind(new ChunkRepresentation(entriesShape(), DataTypes.UINT64, MISSING));
    if (!canBeFound()) {
      throw indexCodecs.error(
          "the index must have a fixed size below 2 GiB to be found in the shard; with"
              + " these codecs it has "
              + this.index.encodedSize());
    }
  }

  /** Returns whether an index has one size, and is small enough for memory. */
  private boolean canBeFound() {
    return index.encodedSize().exact() && index.encodedSize().bytes() <= Bytes.MAX_SIZE;
  }

  private static Shape innerShape(LocatedJson json, Shape shard) {
    long[] chunk = json.integers(1, Long.MAX_VALUE);
    if (chunk.length != shard.rank()) {
      throw json.expected("one entry for each of the " + shard.rank() + " dimensions of the shard");
    }
    for (int d = 0; d < chunk.length; d++) {
      if (shard.extent(d) % chunk[d] != 0) {
        throw json.expected("an inner chunk shape that divides the shard's " + shard);
      }
    }
    return Shape.of(chunk);
  }

  private Shape entriesShape() {
    long[] shape = Arrays.copyOf(grid.gridShape().toArray(), grid.rank() + 1);
    shape[grid.rank()] = 2;
    return Shape.of(shape);
  }

  private long indexSize() {
    return index.encodedSize().bytes();
  }

  /**
   * Returns the most bytes that a shard may need, and as much slack, which other programs leave.
   */
  @Override
  public SizeBound encodedSize() {
    double all = likelySize();
    return all > Long.MAX_VALUE / 4.0
        ? SizeBound.atMost(Long.MAX_VALUE)
        : SizeBound.atMost((long) all).compressed();
  }

  /**
   * Returns the bytes of all inner chunks and the index. Compressed inner chunks count with their
   * decoded size, less than the bound of each: the sum of many bounds would let hostile bytes be of
   * any size.
   */
  private double likelySize() {
    double chunk =
        inner.shardLayout() instanceof Shard shard
            ? shard.likelySize()
            : inner.encodedSize().exact() || shard.dataType() instanceof VariableLengthType
                ? inner.encodedSize().bytes()
                : Math.min(
                    (double) inner.encodedSize().bytes(),
                    4.0 * inner.representation().byteSize() + CHUNK_OVERHEAD);
    return chunk * grid.gridShape().elementCount().doubleValue() + indexSize();
  }

  @Override
  public ChunkGrid innerGrid() {
    return grid;
  }

  @Override
  public ChunkCodec innerCodec() {
    return inner;
  }

  @Override
  public ByteRange indexRange() {
    return indexAtStart ? new ByteRange.Slice(0, indexSize()) : new ByteRange.Suffix(indexSize());
  }

  boolean isIndexAtStart() {
    return indexAtStart;
  }

  /** Returns the number of bytes before the first inner chunk of a written shard. */
  int headerSize() {
    return indexAtStart ? (int) indexSize() : 0;
  }

  ChunkRepresentation representation() {
    return shard;
  }

  @Override
  public Bytes encodeIndex(Bytes entries) {
    return index.encode(NdArray.wrap(DataTypes.UINT64, entriesShape(), entries));
  }

  @Override
  public Bytes join(List<@Nullable Bytes> innerChunks) {
    return ShardEncoder.join(this, innerChunks);
  }

  @Override
  public ShardIndex decodeIndex(Bytes encoded) {
    if (encoded.size() != indexSize()) {
      throw new CodecException(
          "the shard is shorter than its index: expected "
              + indexSize()
              + " bytes, found "
              + encoded.size(),
          Location.UNKNOWN);
    }
    try {
      return new ShardIndex(index.decode(encoded));
    } catch (ChecksumMismatchException e) {
      throw new ChecksumMismatchException(ofIndex(e), e.location(), e);
    } catch (CodecException e) {
      throw new CodecException(ofIndex(e), e.location(), e);
    }
  }

  private static String ofIndex(CodecException e) {
    return "the shard's index is damaged: " + e.statement();
  }
}
