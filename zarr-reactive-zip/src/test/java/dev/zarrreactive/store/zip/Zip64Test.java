package dev.zarrreactive.store.zip;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.zarrreactive.base.ByteRange;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.error.StoreException;
import dev.zarrreactive.store.AbstractStore;
import dev.zarrreactive.store.StoreCapability;
import java.util.Arrays;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;

/** Archives of more than 4 GiB, nearly all of it zeros that nobody keeps. */
class Zip64Test {
  private static final long FAR = 5L << 32;

  @Test
  void entries_beyond_4_gib_are_read() {
    Sparse sparse = new Sparse();
    ZipBuilder builder = new ZipBuilder().add("near", "1");
    builder.stored("far", Zips.random(3000, 1)).offset = FAR;
    builder.deflated("farther", new byte[3000]).offset = FAR + 10_000;
    sparse.put(builder, FAR + 20_000);
    ZipStore zip = Zips.open(sparse);
    assertThat(Zips.keys(zip)).containsExactly("far", "farther", "near");
    assertThat(Zips.get(zip, "near")).asString().isEqualTo("1");
    assertThat(Zips.get(zip, "far")).isEqualTo(Zips.random(3000, 1));
    assertThat(Zips.get(zip, "far", new ByteRange.Slice(1000, 5)))
        .isEqualTo(Arrays.copyOfRange(Zips.random(3000, 1), 1000, 1005));
    assertThat(Zips.get(zip, "farther")).isEqualTo(new byte[3000]);
  }

  @Test
  void a_stored_entry_larger_than_an_array_is_read_by_ranges() {
    Sparse sparse = new Sparse();
    ZipBuilder builder = new ZipBuilder();
    ZipBuilder.Part part = builder.stored("shard", new byte[0]);
    part.size = FAR;
    part.compressedSize = FAR;
    builder.add("after", "2");
    builder.parts.get(1).offset = FAR + 1000;
    sparse.put(builder, FAR + 2000);
    sparse.pieces.put(30L + 5 + FAR - 3, new byte[] {7, 8, 9});
    ZipStore zip = Zips.open(sparse);
    assertThat(Zips.get(zip, "shard", new ByteRange.Suffix(4))).containsExactly(0, 7, 8, 9);
    assertThat(Zips.get(zip, "shard", new ByteRange.From(FAR - 2))).containsExactly(8, 9);
    assertThat(Zips.get(zip, "shard", new ByteRange.Slice(10, 3))).containsExactly(0, 0, 0);
    assertThat(Zips.get(zip, "after")).asString().isEqualTo("2");
    assertThat(Zips.refusal(zip, "shard")).hasMessageContaining("read the value by ranges");
    assertThatThrownBy(() -> Zips.get(zip, "shard", new ByteRange.From(1)))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("ask for less");
    assertThatThrownBy(() -> Zips.get(zip, "shard", new ByteRange.From(FAR + 1)))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("too short");
  }

  @Test
  void a_zip64_field_that_is_too_short_refuses_the_archive() {
    for (int size = 0; size < 8; size++) {
      ZipBuilder builder = new ZipBuilder();
      ZipBuilder.Part part = builder.stored("far", new byte[3]);
      part.offset = FAR;
      part.centralExtra = ZipBuilder.extra(1, new byte[size]);
      assertThat(Zips.refusal(builder.build())).hasMessageContaining("entry 0 of 1 is not whole");
    }
  }

  @Test
  void more_than_65535_entries_are_read() {
    ZipBuilder builder = ZipStoreTest.zip64(new ZipBuilder());
    for (int i = 0; i < 70_000; i++) {
      builder.add("c/" + i / 300 + "/" + i % 300, "");
    }
    ZipStore zip = Zips.open(builder.build());
    assertThat(Zips.keys(zip)).hasSize(70_000);
    assertThat(Zips.get(zip, "c/200/7")).isEmpty();
    assertThat(Zips.get(zip, "c/200/300")).isNull();
  }

  /** One value of zeros but for some pieces. */
  private static final class Sparse extends AbstractStore {
    final TreeMap<Long, byte[]> pieces = new TreeMap<>();
    long size;

    /** Puts the parts of the archive where they say they are, and the directory at {@code end}. */
    void put(ZipBuilder builder, long end) {
      for (ZipBuilder.Part part : builder.parts) {
        long at = Math.max(0, part.offset);
        ZipBuilder alone = new ZipBuilder();
        alone.parts.add(part);
        part.offset = at;
        pieces.put(at, Arrays.copyOf(alone.build(), 30 + part.name.length + part.data.length));
      }
      byte[] all = builder.build();
      int body = builder.parts.stream().mapToInt(p -> 30 + p.name.length + p.data.length).sum();
      byte[] directory = Arrays.copyOfRange(all, body, all.length - 22);
      byte[] last = ZipBuilder.end(builder.parts.size(), directory.length, end, true, new byte[0]);
      pieces.put(end, ZipEndTest.join(directory, last));
      size = end + directory.length + last.length;
    }

    @Override
    public Set<StoreCapability> capabilities() {
      return Set.of(StoreCapability.READ, StoreCapability.PARTIAL_READ);
    }

    @Override
    public Mono<Bytes> get(StoreKey key) {
      return Mono.error(new AssertionError("all of it was asked for"));
    }

    @Override
    public Mono<Bytes> get(StoreKey key, ByteRange range) {
      return Mono.fromSupplier(
          () -> {
            ByteRange.Slice slice;
            try {
              slice = range.resolve(size);
            } catch (IndexOutOfBoundsException e) {
              throw new StoreException(
                  "too short", dev.zarrreactive.error.Location.ofKey(key.value()), e);
            }
            byte[] bytes = new byte[(int) slice.length()];
            for (Map.Entry<Long, byte[]> piece : pieces.entrySet()) {
              byte[] content = piece.getValue();
              long from = Math.max(piece.getKey(), slice.offset());
              long to = Math.min(piece.getKey() + content.length, slice.offset() + bytes.length);
              if (from < to) {
                System.arraycopy(
                    content,
                    (int) (from - piece.getKey()),
                    bytes,
                    (int) (from - slice.offset()),
                    (int) (to - from));
              }
            }
            return Bytes.wrap(bytes);
          });
    }

    @Override
    public String toString() {
      return "Sparse";
    }
  }
}
