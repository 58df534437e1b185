package dev.zarrreactive.kerchunk;

import dev.zarrreactive.base.ByteRange;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.base.StorePrefix;
import dev.zarrreactive.store.AbstractStore;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.store.StoreCapability;
import dev.zarrreactive.store.memory.MemoryStore;
import dev.zarrreactive.virtual.VirtualContainers;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Reads one of many references, and lists them all; run in a JVM with a heap of 256 MiB. */
final class ManyReferences {
  private static final int RECORD_SIZE = 100_000;

  private ManyReferences() {}

  /** Prints what it found of so many references, in JSON or in Parquet. */
  public static void main(String[] arguments) {
    int count = Integer.parseInt(arguments[1]);
    VirtualContainers containers =
        VirtualContainers.builder().allow("s3://archive/", new Numbers()).build();
    Store store =
        Objects.requireNonNull(
            (arguments[0].equals("json") ? json(count, containers) : parquet(count, containers))
                .block());
    Random random = new Random(count);
    int right = 0;
    for (int i = 0; i < 2_000; i++) {
      // mostly near each other, as chunks of one slice are
      int chunk = i % 50 == 0 ? random.nextInt(count) : Math.min(count - 1, i * (count / 2_000));
      Bytes value = Objects.requireNonNull(store.get(StoreKey.of("a/" + chunk)).block());
      right += value.getLong(0) == 1000L + 8L * chunk ? 1 : 0;
    }
    System.out.println("right " + right);
    System.out.println("listed " + store.listPrefix(StorePrefix.of("a/")).count().block());
    System.exit(0);
  }

  private static String zarray(int count) {
    return "{\"zarr_format\":2,\"shape\":["
        + count
        + "],\"chunks\":[1],\"dtype\":\"<i8\",\"compressor\":null,\"filters\":null,"
        + "\"order\":\"C\",\"fill_value\":0}";
  }

  /** A file in which each reference is written out. */
  private static Mono<Store> json(int count, VirtualContainers containers) {
    StringBuilder text = new StringBuilder(60 * count);
    text.append("{\"version\":1,\"templates\":{\"u\":\"s3://archive\"},\"refs\":{\"a/.zarray\":");
    text.append(zarray(count));
    for (int i = 0; i < count; i++) {
      text.append(",\"a/").append(i).append("\":[\"{{u}}/n.nc\",").append(1000L + 8L * i);
      text.append(",8]");
    }
    MemoryStore place = MemoryStore.create();
    StoreKey key = StoreKey.of("refs.json");
    place.set(key, Bytes.utf8(text.append("}}").toString())).block();
    return Kerchunk.open(place, key, containers);
  }

  private static Mono<Store> parquet(int count, VirtualContainers containers) {
    return Kerchunk.open(new Records(count), StorePrefix.ROOT, containers);
  }

  /** Makes record files when they are asked for. */
  private static final class Records extends AbstractStore {
    private final int count;

    Records(int count) {
      this.count = count;
    }

    @Override
    public Set<StoreCapability> capabilities() {
      return Set.of(StoreCapability.READ);
    }

    @Override
    public Mono<Bytes> get(StoreKey key) {
      return Mono.fromSupplier(() -> value(key.value()));
    }

    private Bytes value(String key) {
      if (key.equals(".zmetadata")) {
        return Bytes.utf8(
            "{\"metadata\":{\".zgroup\":{\"zarr_format\":2},\"a/.zarray\":"
                + zarray(count)
                + "},\"record_size\":"
                + RECORD_SIZE
                + "}");
      }
      long first = RECORD_SIZE * Long.parseLong(key.split("\\.")[1]);
      return new ParquetBuilder(RECORD_SIZE)
          .texts("path", row -> first + row < count ? "s3://archive/n.nc" : null)
          .integers("offset", row -> 1000 + 8 * (first + row))
          .integers("size", row -> 8)
          .build();
    }
  }

  /** An object in which each number of eight bytes is its own place. */
  private static final class Numbers extends AbstractStore {
    @Override
    public Set<StoreCapability> capabilities() {
      return Set.of(StoreCapability.READ, StoreCapability.PARTIAL_READ);
    }

    @Override
    public Mono<Bytes> get(StoreKey key) {
      return Mono.error(() -> new IllegalStateException("all of " + key));
    }

    @Override
    public Mono<Bytes> get(StoreKey key, ByteRange range) {
      ByteRange.Slice slice = (ByteRange.Slice) range;
      byte[] number = new byte[8];
      for (int i = 0; i < number.length; i++) {
        number[i] = (byte) (slice.offset() >>> (8 * i));
      }
      return Mono.just(Bytes.wrap(number));
    }

    @Override
    public Flux<StoreKey> listPrefix(StorePrefix prefix) {
      return Flux.empty();
    }
  }
}
