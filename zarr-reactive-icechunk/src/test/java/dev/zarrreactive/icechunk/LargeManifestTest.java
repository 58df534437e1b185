package dev.zarrreactive.icechunk;

import static dev.zarrreactive.icechunk.WrittenRepository.id;
import static dev.zarrreactive.testing.Waiting.await;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.base.StorePrefix;
import dev.zarrreactive.internal.icechunk.ManifestFile;
import dev.zarrreactive.store.ListEntry;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.testkit.InstrumentedStore;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** A manifest of a million references is searched where it lies. */
class LargeManifestTest {
  private static final int COUNT = 1_000_000;

  private static Store written() {
    return new WrittenRepository()
        .largeArray("/a", "{}", COUNT, place -> 1 + place % 7)
        .object(7, new byte[8 * COUNT])
        .store();
  }

  @Test
  void each_reference_is_found_and_a_part_of_them_is_listed() {
    InstrumentedStore place = InstrumentedStore.of(written());
    Store store = await(Icechunk.open(place).flatMap(found -> found.store(IcechunkVersion.MAIN)));
    Random random = new Random(1);
    for (int i = 0; i < 200; i++) {
      int at = random.nextInt(COUNT);
      Bytes value = await(store.get(StoreKey.of("a/c/" + at / 1000 + "/" + at % 1000)));
      assertThat(value.size()).isEqualTo(1 + at % 7);
    }
    assertThat(await(store.get(StoreKey.of("a/c/1000/0")))).isNull();
    List<ListEntry.Key> row = await(store.listValues(StorePrefix.of("a/c/503/")));
    assertThat(row).hasSize(1000);
    assertThat(row.get(999).key().value()).isEqualTo("a/c/503/999");
    assertThat(row.get(999).size()).isEqualTo(1 + 503_999 % 7);
    assertThat(place.counts().requests().stream().map(request -> request.target()))
        .as("requests of the manifest")
        .filteredOn(key -> key.startsWith("manifests/"))
        .hasSize(1);
  }

  @Test
  void a_look_up_makes_few_objects_and_none_for_each_reference() {
    Bytes file = await(written().get(StoreKey.of("manifests/" + id(100))));
    ManifestFile manifest = ManifestFile.read(file, "manifests/" + id(100), 1 << 28);
    ManifestFile.References references = Objects.requireNonNull(manifest.of(1));
    assertThat(manifest.weight()).isLessThan(100L * COUNT);
    int[] index = new int[2];
    long before = allocated();
    int found = 0;
    for (int at = 0; at < COUNT; at++) {
      index[0] = at / 1000;
      index[1] = at % 1000;
      found += references.find(index) == at ? 1 : 0;
    }
    long bytes = allocated() - before;
    assertThat(found).isEqualTo(COUNT);
    assertThat(bytes).as("bytes of a million look-ups").isLessThan(COUNT);
  }

  private static long allocated() {
    return ((ThreadMXBean) ManagementFactory.getThreadMXBean()).getCurrentThreadAllocatedBytes();
  }
}
