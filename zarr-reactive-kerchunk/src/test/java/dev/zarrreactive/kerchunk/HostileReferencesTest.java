package dev.zarrreactive.kerchunk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.base.StorePrefix;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.StoreException;
import dev.zarrreactive.error.ZarrException;
import dev.zarrreactive.internal.parquet.ParquetColumn;
import dev.zarrreactive.internal.parquet.ParquetFile;
import dev.zarrreactive.store.ListEntry;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.store.memory.MemoryStore;
import dev.zarrreactive.testing.Cases;
import dev.zarrreactive.testing.Sampled;
import dev.zarrreactive.testing.Waiting;
import dev.zarrreactive.testkit.InstrumentedStore;
import dev.zarrreactive.virtual.VirtualContainers;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Mutants of references: each one is read, or ends in a located error, in bounded memory, and asks
 * for nothing that the reader has not allowed.
 */
class HostileReferencesTest {
  private static final StoreKey FILE = StoreKey.of("refs.json");
  private static final KerchunkOptions SMALL =
      KerchunkOptions.defaults().withMaxBytes(16 << 20).withMaxReferences(100_000);

  private final InstrumentedStore data = InstrumentedStore.of(MemoryStore.create());
  private final VirtualContainers containers =
      VirtualContainers.builder().allow("s3://archive/", data).build();

  private static List<Path> files(String ending) throws IOException {
    try (Stream<Path> all = Files.walk(Archive.KEPT.directory().resolve("sets"))) {
      return all.filter(path -> path.toString().endsWith(ending)).sorted().toList();
    }
  }

  /** Changes some bytes, doubles or leaves out a part, or puts in a number or a word of another. */
  private static byte[] mutant(byte[] original, Random random) {
    byte[] changed = original.clone();
    switch (random.nextInt(4)) {
      case 0 -> {
        for (int i = 0; i <= random.nextInt(4); i++) {
          changed[random.nextInt(changed.length)] = (byte) random.nextInt();
        }
        return changed;
      }
      case 1 -> {
        return Arrays.copyOf(changed, random.nextInt(changed.length));
      }
      case 2 -> {
        int from = random.nextInt(changed.length);
        int to = random.nextInt(changed.length);
        int length = Math.min(random.nextInt(64), changed.length - Math.max(from, to));
        System.arraycopy(original, from, changed, to, length);
        return changed;
      }
      default -> {
        int at = random.nextInt(changed.length);
        int bit = 1 << random.nextInt(8);
        changed[at] ^= (byte) bit;
        return changed;
      }
    }
  }

  @Test
  @Sampled
  void mutants_of_json_are_read_or_end_in_a_located_error() throws IOException {
    MemoryStore place = MemoryStore.create();
    List<Path> files = files(".json");
    Random random = new Random(34);
    int errors = 0;
    int mutants = Cases.some(2_000, 60_000);
    for (int i = 0; i < mutants; i++) {
      byte[] original = Files.readAllBytes(files.get(i % files.size()));
      Waiting.await(place.set(FILE, Bytes.wrap(mutant(original, random))));
      try {
        readAll(Waiting.await(Kerchunk.open(place, FILE, containers, SMALL)), random);
      } catch (ZarrException e) {
        assertThat(e.location().toString()).contains("key refs.json");
        errors++;
      }
    }
    assertThat(errors).isBetween(mutants / 10, mutants - 1);
  }

  /** Reads some keys; what they lead to is missing, or not allowed. */
  private void readAll(Store store, Random random) {
    List<ListEntry.Key> keys = Waiting.await(store.listValues(StorePrefix.ROOT).take(200));
    for (int i = 0; i < Math.min(5, keys.size()); i++) {
      StoreKey key = keys.get(random.nextInt(keys.size())).key();
      Throwable error = Waiting.errorOf(store.get(key));
      if (error != null) {
        assertThat(error).isInstanceOf(ZarrException.class).hasMessageContaining("key ");
      }
    }
  }

  @Test
  @Sampled
  void mutants_of_record_files_are_read_or_end_in_a_located_error() throws IOException {
    List<Path> files = files(".parq").stream().filter(Files::isRegularFile).toList();
    Random random = new Random(35);
    int errors = 0;
    int mutants = Cases.some(4_000, 200_000);
    for (int i = 0; i < mutants; i++) {
      byte[] original = Files.readAllBytes(files.get(i % files.size()));
      Bytes file = Bytes.wrap(mutant(original, random));
      try {
        RecordFile read = RecordFile.read(file, 100_000, SMALL, Location.ofKey("refs.0.parq"));
        for (int row = 0; row < read.rows(); row++) {
          read.reference(row, Location.ofKey("refs.0.parq"));
          read.valueSize(row);
        }
      } catch (ZarrException e) {
        assertThat(e).hasMessageContaining("key refs.0.parq");
        errors++;
      }
    }
    assertThat(errors).isBetween(mutants / 10, mutants - 1);
  }

  @Test
  @Sampled
  void mutants_of_metadata_of_parquet_are_read_or_end_in_a_located_error() throws IOException {
    List<Path> files = files(".zmetadata");
    MemoryStore place = MemoryStore.create();
    Random random = new Random(36);
    int errors = 0;
    int mutants = Cases.some(1_000, 20_000);
    for (int i = 0; i < mutants; i++) {
      byte[] original = Files.readAllBytes(files.get(i % files.size()));
      Waiting.await(place.set(StoreKey.of(".zmetadata"), Bytes.wrap(mutant(original, random))));
      try {
        readAll(Waiting.await(Kerchunk.open(place, StorePrefix.ROOT, containers, SMALL)), random);
      } catch (ZarrException e) {
        assertThat(e).hasMessageContaining("key .zmetadata");
        errors++;
      }
    }
    assertThat(errors).isBetween(mutants / 10, mutants - 1);
  }

  @Test
  void no_mutant_reads_outside_of_what_is_allowed() throws IOException {
    InstrumentedStore forbidden = InstrumentedStore.of(MemoryStore.create());
    VirtualContainers other =
        VirtualContainers.builder().allow("s3://elsewhere/", forbidden).build();
    MemoryStore place = MemoryStore.create();
    for (Path file : files(".json")) {
      if (file.toString().contains("relative")) {
        continue;
      }
      Waiting.await(place.set(FILE, Bytes.wrap(Files.readAllBytes(file))));
      readAll(Waiting.await(Kerchunk.open(place, FILE, other, SMALL)), new Random(1));
    }
    assertThat(forbidden.counts().total()).isZero();
  }

  @Test
  void a_page_that_lies_about_its_size_costs_no_memory() {
    Bytes file =
        new ParquetBuilder(8).lying(Integer.MAX_VALUE).integers("offset", row -> row).build();
    Location place = Location.ofKey("refs.0.parq");
    assertThat(
            catchThrowable(
                () ->
                    ParquetFile.of(file, 8, Integer.MAX_VALUE, place)
                        .read("offset", new Ignored())))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("a page of ")
        .hasMessageContaining("says that it has 2147483647 when it is not compressed");
    Bytes other = new ParquetBuilder(8).lying(63).integers("offset", row -> row).build();
    assertThat(
            catchThrowable(
                () -> ParquetFile.of(other, 8, 1000, place).read("offset", new Ignored())))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("the column \"offset\"");
  }

  private static final class Ignored implements ParquetColumn {
    @Override
    public void integer(int row, long value) {}

    @Override
    public void bytes(int row, byte[] array, int from, int length) {}

    @Override
    public void number(int row, double value) {}
  }
}
