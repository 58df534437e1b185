package dev.zarrreactive.kerchunk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.zarrreactive.Zarr;
import dev.zarrreactive.ZarrArray;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.selection.Selection;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.base.StorePrefix;
import dev.zarrreactive.error.UnsupportedFeatureException;
import dev.zarrreactive.store.ListEntry;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.testing.Waiting;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every array of every reference set has the values that Python reads. */
class ReferenceSetsTest {
  static Stream<Archive.Values> values() {
    return Archive.KEPT.values();
  }

  static List<String> sets() {
    return Archive.KEPT.sets();
  }

  @ParameterizedTest
  @MethodSource("values")
  void an_array_has_the_values_that_python_reads(Archive.Values expected)
      throws NoSuchAlgorithmException {
    assertValues(Archive.KEPT, expected);
  }

  /** Reads an array, and compares it with the values that Python has read. */
  static void assertValues(Archive archive, Archive.Values expected)
      throws NoSuchAlgorithmException {
    Store store = Waiting.await(archive.open(expected.set()));
    ZarrArray array = Waiting.await(Zarr.hierarchy(store).openArray(expected.path()));
    NdArray content = Waiting.await(array.read(Selection.all()));
    assertThat(
            Arrays.stream(content.shape().toArray())
                .mapToObj(Long::toString)
                .collect(Collectors.joining(",")))
        .isEqualTo(expected.shape());
    assertThat(sha256(content)).as("%s", expected).isEqualTo(expected.sha256());
  }

  private static String sha256(NdArray content) throws NoSuchAlgorithmException {
    return HexFormat.of()
        .formatHex(MessageDigest.getInstance("SHA-256").digest(content.bytes().toByteArray()));
  }

  @Test
  void there_are_sets_of_every_form() {
    assertThat(sets()).hasSizeGreaterThan(60);
    assertThat(sets().stream().filter(set -> set.endsWith(".parq"))).hasSizeGreaterThan(15);
  }

  @ParameterizedTest
  @MethodSource("sets")
  void listings_agree_with_each_other_and_with_what_can_be_read(String set) {
    Store store = Waiting.await(Archive.KEPT.open(set));
    List<ListEntry.Key> all = Waiting.await(store.listValues(StorePrefix.ROOT).collectList());
    Set<StoreKey> keys = new TreeSet<>(all.stream().map(ListEntry.Key::key).toList());
    assertThat(keys).hasSameSizeAs(all).isNotEmpty();
    assertThat(walk(store, StorePrefix.ROOT)).isEqualTo(keys);
    for (ListEntry.Key entry : all) {
      int size = Waiting.await(store.get(entry.key())).size();
      assertThat(entry.isSizeKnown() ? entry.size() : size).as("%s", entry).isEqualTo(size);
    }
  }

  private static Set<StoreKey> walk(Store store, StorePrefix prefix) {
    Set<StoreKey> found = new TreeSet<>();
    for (ListEntry entry : Waiting.await(store.listDir(prefix).collectList())) {
      if (entry instanceof ListEntry.Key key) {
        assertThat(found.add(key.key())).isTrue();
      } else {
        found.addAll(walk(store, ((ListEntry.Prefix) entry).prefix()));
      }
    }
    assertThat(new TreeSet<>(Waiting.await(store.listPrefix(prefix).collectList())))
        .isEqualTo(found);
    return found;
  }

  @Test
  void messages_of_grib_are_refused_by_the_name_of_their_codec() {
    Store store = Waiting.await(Archive.KEPT.open("grib.json"));
    List<StoreKey> keys = Waiting.await(store.list().collectList());
    String variable =
        keys.stream()
            .map(StoreKey::value)
            .filter(key -> key.endsWith("/.zarray"))
            .filter(key -> text(store, key).contains("\"grib\""))
            .findFirst()
            .orElseThrow();
    assertThatExceptionOfType(UnsupportedFeatureException.class)
        .isThrownBy(
            () ->
                Waiting.await(
                    Zarr.hierarchy(store)
                        .openArray("/" + variable.substring(0, variable.indexOf('/')))))
        .withMessageContaining("messages of GRIB");
  }

  private static String text(Store store, String key) {
    return new String(Waiting.await(store.get(StoreKey.of(key))).toByteArray());
  }
}
