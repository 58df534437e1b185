package dev.zarrreactive.codec;

import static org.assertj.core.api.Assertions.assertThat;

import dev.zarrreactive.array.ElementMemory;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.datatype.DataType;
import dev.zarrreactive.datatype.FillValue;
import dev.zarrreactive.extension.NamedConfiguration;
import dev.zarrreactive.testing.Json;
import dev.zarrreactive.testing.RandomChain;
import dev.zarrreactive.testing.TestCodecs;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** Random chains of codecs on random chunks. */
class ChunkCodecPropertyTest {
  /** A chunk and the chain that codes it. */
  record Case(NdArray chunk, List<String> codecs) {
    static Case of(Random random) {
      Shape shape = Shape.of(random.longs(random.nextInt(4), 1, 6).toArray());
      DataType type = RandomChain.dataType(random);
      byte[] elements = new byte[shape.byteSize(type.itemSize())];
      if (random.nextInt(4) > 0) {
        random.nextBytes(elements);
      }
      return new Case(
          NdArray.wrap(type, shape, Bytes.wrap(elements)), RandomChain.of(shape.rank(), random));
    }

    ChunkCodec codec() {
      List<NamedConfiguration> chain = codecs.stream().map(Json::extension).toList();
      return CodecChain.of(chain, Json.value("[]"), TestCodecs.registry())
          .bind(
              new ChunkRepresentation(
                  chunk.shape(), chunk.dataType(), FillValue.zero(chunk.dataType())));
    }

    @Override
    public String toString() {
      return chunk.dataType() + "" + chunk.shape() + " through " + codecs;
    }
  }

  @Provide
  Arbitrary<Case> cases() {
    return Arbitraries.randomValue(Case::of);
  }

  @Property(tries = 600)
  void an_encoded_chunk_decodes_to_the_same_elements_in_any_memory(@ForAll("cases") Case c) {
    ChunkCodec codec = c.codec();
    Bytes encoded = codec.encode(c.chunk());
    assertThat(codec.encodedSize().allows(encoded.size())).isTrue();
    assertThat(codec.decode(encoded)).isEqualTo(c.chunk());
    assertThat(codec.decode(shifted(encoded))).isEqualTo(c.chunk());
    assertThat(codec.decode(encoded, ChunkCodecPropertyTest::used)).isEqualTo(c.chunk());
    ElementMemory decoded = codec.decodeToMemory(shifted(encoded), ChunkCodecPropertyTest::used);
    assertThat(decoded.toNdArray(c.chunk().shape())).isEqualTo(c.chunk());
    int size = c.chunk().bytes().size();
    int itemSize = c.chunk().dataType().itemSize();
    byte[] target = used(size + 5 * itemSize);
    byte[] expected = target.clone();
    c.chunk().bytes().copyTo(0, expected, 3 * itemSize, size);
    codec.decodeInto(encoded, memory(c.chunk().dataType(), target), 3);
    assertThat(target).isEqualTo(expected);
  }

  @Property(tries = 300)
  void a_part_of_the_elements_is_decoded_to_the_same(@ForAll("cases") Case c, @ForAll long seed) {
    ChunkCodec codec = c.codec();
    Random random = new Random(seed);
    int count = c.chunk().shape().elementCount().intValueExact();
    int first = random.nextInt(count);
    int end = first + 1 + random.nextInt(count - first);
    ElementMemory decoded =
        codec.decodeToMemory(codec.encode(c.chunk()), ChunkCodecPropertyTest::used, first, end);
    int size = c.chunk().dataType().itemSize();
    Bytes bytes = decoded.toNdArray(c.chunk().shape()).bytes();
    assertThat(bytes.slice(first * size, (end - first) * size))
        .isEqualTo(c.chunk().bytes().slice(first * size, (end - first) * size));
  }

  private static ElementMemory memory(DataType type, byte... target) {
    int count = target.length / type.itemSize();
    Bytes bytes = Bytes.wrap(target, 0, count * type.itemSize());
    return ElementMemory.of(NdArray.wrap(type, Shape.of(count), bytes));
  }

  /** The same bytes in the middle of an array. */
  private static Bytes shifted(Bytes bytes) {
    byte[] array = used(bytes.size() + 20);
    bytes.copyTo(0, array, 9, bytes.size());
    return Bytes.wrap(array, 9, bytes.size());
  }

  /** Memory that is longer than asked for and full of something else. */
  private static byte[] used(int size) {
    byte[] memory = new byte[size + 5];
    Arrays.fill(memory, (byte) 0x5a);
    return memory;
  }
}
