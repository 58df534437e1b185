package dev.zarrreactive.internal.codec.sharding;

import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.codec.ChunkRepresentation;
import dev.zarrreactive.codec.CodecChain;
import dev.zarrreactive.codec.CodecRegistry;
import dev.zarrreactive.codec.ShardLayout;
import dev.zarrreactive.codec.ShardedCodec;
import dev.zarrreactive.codec.SizeBound;
import dev.zarrreactive.extension.NamedConfiguration;
import dev.zarrreactive.json.LocatedJson;

/**
 * The codec {@code sharding_indexed}: a chunk is a shard that holds inner chunks, each encoded by
 * the same chain of codecs, and an index of their places at its start or end.
 */
final class ShardingCodec implements ShardedCodec {
  static final String NAME = "sharding_indexed";

  private final NamedConfiguration configuration;
  private final LocatedJson innerShape;
  private final CodecChain inner;
  private final CodecChain index;
  private final boolean indexAtStart;

  private ShardingCodec(NamedConfiguration use, CodecRegistry registry) {
    configuration = use;
    use.configuration().allowOnly("chunk_shape", "codecs", "index_codecs", "index_location");
    innerShape = use.member("chunk_shape");
    innerShape.integers(1, Long.MAX_VALUE);
    inner = chain(use.member("codecs"), registry);
    index = chain(use.member("index_codecs"), registry);
    LocatedJson location = use.optional("index_location");
    indexAtStart = location != null && location.oneOf("start", "end").equals("start");
  }

  static ShardingCodec of(NamedConfiguration use, CodecRegistry registry) {
    return new ShardingCodec(use, registry);
  }

  private static CodecChain chain(LocatedJson list, CodecRegistry registry) {
    return CodecChain.of(
        list.elements().stream().map(NamedConfiguration::parse).toList(), list, registry);
  }

  @Override
  public NamedConfiguration configuration() {
    return configuration;
  }

  @Override
  public ShardLayout layout(ChunkRepresentation shard) {
    return shard(shard);
  }

  private Shard shard(ChunkRepresentation shard) {
    return new Shard(
        shard, innerShape, inner, configuration.member("index_codecs"), index, indexAtStart);
  }

  @Override
  public SizeBound encodedSize(ChunkRepresentation decoded) {
    return shard(decoded).encodedSize();
  }

  @Override
  public Bytes encode(NdArray decoded, ChunkRepresentation representation) {
    return ShardEncoder.encode(decoded, shard(representation));
  }

  @Override
  public NdArray decode(Bytes encoded, ChunkRepresentation decoded) {
    return ShardDecoder.decode(encoded, shard(decoded));
  }
}
