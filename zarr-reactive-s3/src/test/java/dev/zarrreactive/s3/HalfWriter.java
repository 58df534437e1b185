package dev.zarrreactive.s3;

import dev.zarrreactive.Zarr;
import dev.zarrreactive.ZarrArray;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.array.selection.Selection;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.error.PreconditionFailedException;
import dev.zarrreactive.error.TransientStoreException;
import dev.zarrreactive.metadata.ArrayMetadata;
import dev.zarrreactive.store.Store;
import java.time.Duration;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/** A process that writes its half of the one chunk of an array, again and again, for a while. */
final class HalfWriter {
  private static final int SIZE = 80 << 20;
  private static final Duration WHILE = Duration.ofSeconds(Long.getLong("zarr.s3.seconds", 30));

  private HalfWriter() {}

  static void create(Store store) {
    await(
        Zarr.hierarchy(store)
            .createArray(
                "large",
                ArrayMetadata.v3(Shape.of(SIZE), DataTypes.UINT8)
                    .uncompressed()
                    .chunkShape(SIZE)
                    .build()));
  }

  /** Exits with 1 where an update was lost. */
  public static void main(String... arguments) {
    boolean first = arguments[1].equals("0");
    Selection half = Selection.parse(first ? "0:" + SIZE / 2 : SIZE / 2 + ":" + SIZE);
    Selection probe = Selection.parse(first ? "0:1" : SIZE / 2 + ":" + (SIZE / 2 + 1));
    S3Store store = RealServer.at(arguments[0]).open();
    ZarrArray array = Objects.requireNonNull(await(Zarr.hierarchy(store).openArray("large")));
    long end = System.nanoTime() + WHILE.toNanos();
    byte last = 0;
    int written = 0;
    int unknown = 0;
    int given = 0;
    while (System.nanoTime() < end) {
      byte next = (byte) (last + 1);
      byte[] values = new byte[SIZE / 2];
      Arrays.fill(values, next);
      boolean known = true;
      try {
        await(array.write(half, NdArray.ofBytes(DataTypes.UINT8, Shape.of(SIZE / 2), values)));
        written++;
      } catch (PreconditionFailedException e) {
        given++;
        next = last;
      } catch (TransientStoreException e) {
        unknown++;
        known = false;
      }
      byte found = Objects.requireNonNull(await(array.read(probe))).bytes().get(0);
      if (found != next && (known || found != last)) {
        System.out.println("LOST: wrote " + next + ", found " + found);
        System.exit(1);
      }
      last = found;
    }
    System.out.println(
        written + " written, " + unknown + " with an unknown end, " + given + " given up");
    await(store.close());
  }

  private static <T> @Nullable T await(Mono<T> mono) {
    return mono.block(Duration.ofMinutes(2));
  }
}
