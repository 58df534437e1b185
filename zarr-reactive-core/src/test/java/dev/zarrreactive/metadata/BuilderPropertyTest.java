package dev.zarrreactive.metadata;

import static org.assertj.core.api.Assertions.assertThat;

import dev.zarrreactive.Zarr;
import dev.zarrreactive.ZarrArray;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.array.selection.Selection;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.codec.Blosc.Compressor;
import dev.zarrreactive.codec.Codecs;
import dev.zarrreactive.datatype.DataType;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.error.ZarrException;
import dev.zarrreactive.extension.NamedConfiguration;
import dev.zarrreactive.json.JsonObject;
import dev.zarrreactive.store.memory.MemoryStore;
import java.nio.ByteOrder;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.jspecify.annotations.Nullable;

/**
 * Random calls of the builder give metadata that are read back equal from their own JSON, or an
 * error that says where.
 */
class BuilderPropertyTest {
  private static final List<DataType> TYPES =
      List.of(
          DataTypes.BOOL,
          DataTypes.INT8,
          DataTypes.UINT16,
          DataTypes.FLOAT32,
          DataTypes.FLOAT64,
          DataTypes.COMPLEX64,
          DataTypes.STRING,
          DataTypes.BYTES,
          DataTypes.raw(24));

  private static final List<NamedConfiguration> CODECS =
      List.of(
          Codecs.zstd(1),
          Codecs.gzip(1),
          Codecs.blosc(Compressor.LZ4),
          Codecs.blosc(Compressor.ZSTD).level(1).bitshuffle(),
          Codecs.crc32c(),
          Codecs.zlib(1),
          Codecs.lz4(),
          Codecs.transpose(1, 0),
          Codecs.transpose(0),
          Codecs.bytes(),
          Codecs.bytes(ByteOrder.BIG_ENDIAN),
          Codecs.vlenUtf8(),
          Codecs.sharding(2),
          Codecs.sharding(2, 3).codecs(Codecs.gzip(1)).indexAtStart());

  @Provide
  Arbitrary<Random> randoms() {
    return Arbitraries.randomValue(random -> new Random(random.nextLong()));
  }

  private static final class Calls {
    private final Random random;
    private final StringBuilder told = new StringBuilder();
    private final int rank;
    private ArrayMetadataBuilder builder;

    Calls(Random random) {
      this.random = random;
      this.rank = random.nextInt(4);
      Shape shape = Shape.of(extents(rank, 0, 30));
      DataType type = oneOf(TYPES);
      told.append(shape).append(' ').append(type);
      builder =
          random.nextInt(3) == 0 ? ArrayMetadata.v2(shape, type) : ArrayMetadata.v3(shape, type);
    }

    private <T> T oneOf(List<T> list) {
      return list.get(random.nextInt(list.size()));
    }

    private long[] extents(int count, int least, int most) {
      return random.longs(count, least, most).toArray();
    }

    /** Now and then another number of dimensions than the array's. */
    private int someRank() {
      return random.nextInt(8) == 0 ? random.nextInt(4) : rank;
    }

    private NamedConfiguration[] codecs() {
      NamedConfiguration[] chain = new NamedConfiguration[random.nextInt(3)];
      for (int i = 0; i < chain.length; i++) {
        chain[i] = oneOf(CODECS);
      }
      return chain;
    }

    private void call(String name, Consumer<ArrayMetadataBuilder> setting) {
      told.append(", ").append(name);
      setting.accept(builder);
    }

    void next() {
      switch (random.nextInt(16)) {
        case 0 -> call("chunkShape", b -> b.chunkShape(extents(someRank(), 1, 12)));
        case 1 -> call("shardShape", b -> b.shardShape(extents(someRank(), 1, 25)));
        case 2 -> call("sharded", ArrayMetadataBuilder::sharded);
        case 3 -> call("unsharded", ArrayMetadataBuilder::unsharded);
        case 4 -> call("readAlong", b -> b.readAlong(random.nextInt(3)));
        case 5 -> call("readInPlanes", b -> b.readInPlanes(0, 1));
        case 6 -> call("codecs", b -> b.codecs(codecs()));
        case 7 -> call("compressors", b -> b.compressors(codecs()));
        case 8 -> call("uncompressed", ArrayMetadataBuilder::uncompressed);
        case 9 -> call("fortranOrder", ArrayMetadataBuilder::fortranOrder);
        case 10 -> call("fillValue", b -> b.fillValue(random.nextInt(400) - 100));
        case 11 -> call("fillValue", b -> b.fillValue(random.nextBoolean() ? Double.NaN : 0.5));
        case 12 -> call("separator", b -> b.separator(random.nextBoolean() ? "/" : "."));
        case 13 -> call("zarrFormat", b -> b.zarrFormat(2 + random.nextInt(2)));
        case 14 -> call("dimensionNames", b -> b.dimensionNames(new String[someRank()]));
        default -> call("noFillValue", ArrayMetadataBuilder::noFillValue);
      }
    }

    /** Returns null after a refusal that says where. */
    @Nullable ArrayMetadata metadata() {
      try {
        for (int i = random.nextInt(7); i > 0; i--) {
          next();
          if (random.nextInt(10) == 0) {
            told.append(", like");
            builder = ArrayMetadata.like(builder.build());
          }
        }
        return builder.attributes(JsonObject.EMPTY.with("n", random.nextInt())).build();
      } catch (IllegalArgumentException e) {
        String setting = told.substring(told.lastIndexOf(", ") + 2);
        assertThat(e.getMessage()).as(told.toString()).matches("(?s)" + names(setting) + ".*");
      } catch (ZarrException e) {
        assertThat(e.location().jsonPointer()).as(told + ": " + e).isNotNull();
        assertThat(e.getMessage()).isNotBlank();
      }
      return null;
    }

    /** The names of the setting that was refused. Codecs in shards are looked at by the build. */
    private static String names(String setting) {
      return "(" + setting + "|codecs)[: ]";
    }
  }

  private static ArrayMetadata readBack(ArrayMetadata metadata) {
    Bytes document = Bytes.utf8(metadata.document().toPrettyString());
    return metadata.zarrFormat() == 3
        ? (ArrayMetadata) NodeMetadata.parse(document, NodePath.ROOT)
        : ArrayMetadata.parseV2(
            document,
            Bytes.utf8(metadata.attributes().toString()),
            NodePath.ROOT,
            MetadataLimits.defaults());
  }

  @Property(tries = 3000)
  void built_metadata_are_read_back_equal_or_refused_with_a_place(
      @ForAll("randoms") Random random) {
    Calls calls = new Calls(random);
    ArrayMetadata metadata = calls.metadata();
    if (metadata == null) {
      return;
    }
    ArrayMetadata same = readBack(metadata);
    assertThat(same.document()).as(calls.told.toString()).isEqualTo(metadata.document());
    assertSame(calls, same, metadata);
    assertSame(calls, ArrayMetadata.like(metadata).build(), metadata);
  }

  private static void assertSame(Calls calls, ArrayMetadata one, ArrayMetadata other) {
    assertThat(meaning(one)).as(calls.told.toString()).isEqualTo(meaning(other));
  }

  private static List<Object> meaning(ArrayMetadata metadata) {
    return List.of(
        metadata.zarrFormat(),
        metadata.shape(),
        metadata.dataType(),
        metadata.fillValue(),
        metadata.codecs(),
        metadata.chunkGrid(),
        metadata.chunkKeyEncoding(),
        metadata.dimensionNames(),
        metadata.attributes());
  }

  @Property(tries = 300)
  void a_built_array_holds_what_is_written(@ForAll("randoms") Random random) {
    Calls calls = new Calls(random);
    ArrayMetadata metadata = calls.metadata();
    if (metadata == null) {
      return;
    }
    ZarrArray array;
    try {
      array = Zarr.hierarchy(MemoryStore.create()).createArray("a", metadata).block();
    } catch (ZarrException e) { // codecs that do not fit the elements
      assertThat(e.location().nodePath()).as(calls.told + ": " + e).isEqualTo("/a");
      return;
    }
    NdArray data = array.read(Selection.all()).block();
    array.write(Selection.all(), data).block();
    assertThat(Zarr.hierarchy(array.store()).openArray("a").block().read(Selection.all()).block())
        .as(calls.told.toString())
        .isEqualTo(data);
  }
}
