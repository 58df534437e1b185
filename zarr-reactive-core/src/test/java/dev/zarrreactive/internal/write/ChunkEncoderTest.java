package dev.zarrreactive.internal.write;

import static org.assertj.core.api.Assertions.assertThat;

import dev.zarrreactive.array.ElementMemory;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.array.selection.Selection;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.codec.ChunkCodec;
import dev.zarrreactive.codec.ChunkRepresentation;
import dev.zarrreactive.codec.CodecChain;
import dev.zarrreactive.codec.CodecRegistry;
import dev.zarrreactive.codec.ShardLayout;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.datatype.FillValue;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.extension.NamedConfiguration;
import dev.zarrreactive.internal.planning.ChunkPlan;
import dev.zarrreactive.internal.planning.ChunkProjection;
import dev.zarrreactive.internal.threads.Environment;
import dev.zarrreactive.json.JsonDocument;
import dev.zarrreactive.json.LocatedJson;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/** A shard piece by piece: how many inner chunks are one piece, and the bytes of all pieces. */
class ChunkEncoderTest {
  private static final int PROCESSORS = 2;

  /** A machine of two cores. */
  private static final class TwoCores extends Environment {
    @Override
    public long nanoTime() {
      return 0;
    }

    @Override
    public long random(long least, long bound) {
      return least;
    }

    @Override
    public int processors() {
      return PROCESSORS;
    }

    @Override
    public Scheduler codecScheduler() {
      return Schedulers.immediate();
    }

    @Override
    public Scheduler timer() {
      return Schedulers.immediate();
    }
  }

  private static ChunkCodec shard(int extent, int inner) {
    String json =
        """
        [{"name":"sharding_indexed","configuration":{"chunk_shape":[%d],"codecs":[{"name":"bytes"}],
        "index_codecs":[{"name":"bytes","configuration":{"endian":"little"}},{"name":"crc32c"}]}}]
        """
            .formatted(inner);
    LocatedJson codecs =
        JsonDocument.parse(
            ByteBuffer.wrap(json.getBytes(StandardCharsets.UTF_8)), Location.UNKNOWN);
    return CodecChain.of(
            codecs.elements().stream().map(NamedConfiguration::parse).toList(),
            codecs,
            CodecRegistry.standard())
        .bind(
            new ChunkRepresentation(
                Shape.of(extent), DataTypes.UINT8, FillValue.zero(DataTypes.UINT8)));
  }

  private static ShardLayout layout(ChunkCodec shard) {
    return Objects.requireNonNull(shard.shardLayout());
  }

  private static List<Bytes> pieces(ChunkCodec shard, NdArray elements) {
    ShardLayout layout = layout(shard);
    ChunkPlan plan = ChunkPlan.of(Selection.all().resolve(elements.shape()), layout.innerGrid());
    ChunkEncoder encoder = new ChunkEncoder(Schedulers.immediate());
    return Objects.requireNonNull(
        new TwoCores()
            .within(
                () ->
                    encoder
                        .pieces(layout, plan, part -> inner(layout, elements, part))
                        .collectList()
                        .block()));
  }

  private static @Nullable ElementMemory inner(
      ShardLayout layout, NdArray shard, ChunkProjection part) {
    ChunkRepresentation chunk = layout.innerCodec().representation();
    ElementMemory elements = ElementMemory.allocate(chunk.dataType(), chunk.shape());
    part.region().copyToChunk(ElementMemory.of(shard), elements);
    return elements.isAll(chunk.fillValue()) ? null : elements;
  }

  private static NdArray counting(int extent, int zerosFrom, int zerosTo) {
    byte[] bytes = new byte[extent];
    for (int i = 0; i < extent; i++) {
      bytes[i] = i >= zerosFrom && i < zerosTo ? 0 : (byte) (1 + i % 100);
    }
    return NdArray.wrap(DataTypes.UINT8, Shape.of(extent), Bytes.wrap(bytes));
  }

  @ParameterizedTest
  @CsvSource({
    "64, 4, 8", // 16 small chunks: 4 pieces for each of 2 cores
    "4096, 1, 8", // as many pieces of more chunks
    "28, 4, 7", // fewer chunks than pieces: each alone
    "4194304, 1048576, 4", // 1 MiB each: each alone
    "33554432, 524288, 32", // of 64 chunks of half a MiB two are one piece
  })
  void small_inner_chunks_that_follow_one_another_are_one_piece(int extent, int inner, int pieces) {
    assertThat(pieces(shard(extent, inner), counting(extent, 0, 0))).hasSize(pieces + 1);
  }

  @ParameterizedTest
  @CsvSource({"64, 4, 0, 0", "64, 4, 9, 29", "4096, 1, 3, 3000", "28, 4, 0, 28", "20, 4, 0, 16"})
  void all_pieces_are_the_shard_that_is_encoded_at_once(
      int extent, int inner, int zerosFrom, int zerosTo) {
    ChunkCodec shard = shard(extent, inner);
    NdArray elements = counting(extent, zerosFrom, zerosTo);
    assertThat(Bytes.join(pieces(shard, elements))).isEqualTo(shard.encode(elements));
  }

  @Test
  void inner_chunks_of_fill_value_are_no_piece() {
    List<Bytes> pieces = pieces(shard(64, 4), counting(64, 0, 64));
    assertThat(pieces).hasSize(1);
    assertThat(pieces(shard(64, 4), counting(64, 0, 56))).hasSize(2);
  }
}
