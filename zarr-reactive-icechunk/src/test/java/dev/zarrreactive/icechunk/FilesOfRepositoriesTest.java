package dev.zarrreactive.icechunk;

import static dev.zarrreactive.icechunk.WrittenRepository.SNAPSHOT;
import static dev.zarrreactive.icechunk.WrittenRepository.id;
import static dev.zarrreactive.icechunk.WrittenRepository.utf8;
import static dev.zarrreactive.testing.Waiting.await;
import static dev.zarrreactive.testing.Waiting.errorOf;
import static org.assertj.core.api.Assertions.assertThat;

import com.github.luben.zstd.Zstd;
import com.google.flatbuffers.FlexBuffersBuilder;
import dev.zarrreactive.base.ByteRange;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.error.AccessDeniedException;
import dev.zarrreactive.error.RangeOutOfBoundsException;
import dev.zarrreactive.error.StoreException;
import dev.zarrreactive.error.UnsupportedFeatureException;
import dev.zarrreactive.error.ZarrException;
import dev.zarrreactive.icechunk.WrittenRepository.Ref;
import dev.zarrreactive.store.ReadCondition;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.store.VersionedBytes;
import dev.zarrreactive.store.memory.MemoryStore;
import dev.zarrreactive.testkit.InstrumentedStore;
import dev.zarrreactive.virtual.VirtualContainers;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** Repositories of every kind of reference, and those that are refused. */
class FilesOfRepositoriesTest {
  private static Store main(WrittenRepository written) {
    return main(written.store(), IcechunkOptions.defaults());
  }

  private static Store main(Store place, IcechunkOptions options) {
    return await(Icechunk.open(place, options).flatMap(found -> found.store(IcechunkVersion.MAIN)));
  }

  private static WrittenRepository one(Ref ref) {
    return new WrittenRepository().array("/a", "{}", new int[] {1}, List.of(ref));
  }

  private static StoreKey chunk() {
    return StoreKey.of("a/c/0");
  }

  @Test
  void a_range_of_a_chunk_is_taken_inside_of_its_part_of_the_object() {
    Store store = main(one(Ref.chunk(7, 2, 4, 0)).object(7, utf8("0123456789")));
    assertThat(await(store.get(chunk()))).isEqualTo(Bytes.utf8("2345"));
    assertThat(await(store.get(chunk(), new ByteRange.Suffix(2)))).isEqualTo(Bytes.utf8("45"));
    assertThat(await(store.get(chunk(), new ByteRange.Suffix(9)))).isEqualTo(Bytes.utf8("2345"));
    assertThat(await(store.get(chunk(), new ByteRange.From(3)))).isEqualTo(Bytes.utf8("5"));
    assertThat(errorOf(store.get(chunk(), new ByteRange.Slice(3, 2))))
        .isInstanceOf(RangeOutOfBoundsException.class)
        .hasMessageContaining("a/c/0");
  }

  @Test
  void a_chunk_whose_object_is_missing_is_an_error_and_no_fill_value() {
    assertThat(errorOf(main(one(Ref.chunk(7, 0, 4, 0))).get(chunk())))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("chunks/" + id(7))
        .hasMessageContaining("a/c/0");
  }

  @Test
  void a_reference_to_nothing_is_refused() {
    for (Ref wrong :
        List.of(
            Ref.chunk(7, 0, 0, 0),
            Ref.chunk(7, -1, 4, 0),
            Ref.chunk(7, 4, Long.MAX_VALUE, 0),
            new Ref(new int[] {0}, null, 0, null, 0, 4, null))) {
      assertThat(errorOf(main(one(wrong).object(7, utf8("0123"))).get(chunk())))
          .isInstanceOf(StoreException.class)
          .hasMessageContaining("manifests/" + id(100));
    }
  }

  @Test
  void a_virtual_chunk_is_read_where_the_reader_has_allowed_it_and_never_elsewhere() {
    InstrumentedStore elsewhere = InstrumentedStore.of(MemoryStore.create());
    await(elsewhere.set(StoreKey.of("x y/a.nc"), Bytes.utf8("0123456789")));
    elsewhere.counts().reset();
    Store place = one(Ref.virtual("s3://bucket/data/x%20y/a.nc", 3, 4, 0)).store();
    IcechunkOptions allowed =
        IcechunkOptions.defaults()
            .withContainers(
                VirtualContainers.builder().allow("s3://bucket/data/", elsewhere).build());
    assertThat(await(main(place, allowed).get(chunk()))).isEqualTo(Bytes.utf8("3456"));
    elsewhere.counts().reset();
    IcechunkOptions other =
        IcechunkOptions.defaults()
            .withContainers(
                VirtualContainers.builder().allow("s3://bucket/dat/", elsewhere).build());
    for (IcechunkOptions options : List.of(other, IcechunkOptions.defaults())) {
      assertThat(errorOf(main(place, options).get(chunk())))
          .isInstanceOf(AccessDeniedException.class)
          .hasMessageContaining("s3://bucket/data/x%20y/a.nc");
    }
    assertThat(elsewhere.counts().total()).isZero();
  }

  @Test
  void a_virtual_chunk_of_another_state_than_the_referenced_one_is_refused() {
    MemoryStore elsewhere = MemoryStore.create();
    await(elsewhere.set(StoreKey.of("a.nc"), Bytes.utf8("0123456789")));
    IcechunkOptions allowed =
        IcechunkOptions.defaults()
            .withContainers(VirtualContainers.builder().allow("s3://bucket/", elsewhere).build());
    Ref ref = Ref.virtual("s3://bucket/a.nc", 0, 4, 0);
    String wrong = "\"another\"";
    assertThat(errorOf(main(one(ref.with(wrong)).store(), allowed).get(chunk())))
        .hasMessageContaining("not the one that was referenced");
  }

  @Test
  void a_location_by_the_name_of_a_container_in_the_configuration_is_understood() {
    MemoryStore elsewhere = MemoryStore.create();
    await(elsewhere.set(StoreKey.of("a.nc"), Bytes.utf8("0123456789")));
    FlexBuffersBuilder config = new FlexBuffersBuilder();
    int top = config.startMap();
    int containers = config.startMap();
    int one = config.startMap();
    config.putString("name", "sea");
    config.putString("url_prefix", "s3://bucket/data/");
    config.endMap("s3://bucket/data/", one);
    config.endMap("virtual_chunk_containers", containers);
    config.endMap(null, top);
    ByteBuffer bytes = config.finish();
    byte[] flex = new byte[bytes.remaining()];
    bytes.get(flex);
    WrittenRepository written = one(Ref.virtual("vcc://sea/a.nc", 1, 2, 0)).config(flex);
    IcechunkOptions allowed =
        IcechunkOptions.defaults()
            .withContainers(
                VirtualContainers.builder().allow("s3://bucket/data/", elsewhere).build());
    assertThat(await(main(written.store(), allowed).get(chunk()))).isEqualTo(Bytes.utf8("12"));
    assertThat(await(Icechunk.open(written.store()).flatMapMany(IcechunkRepository::containers)))
        .extracting(IcechunkContainer::name)
        .containsExactly("sea");
  }

  @Test
  void documents_and_chunks_have_versions_that_change_with_them() {
    Store store =
        main(
            new WrittenRepository()
                .array(
                    "/a",
                    "{}",
                    new int[] {3},
                    List.of(
                        Ref.chunk(7, 0, 2, 0),
                        Ref.chunk(7, 2, 2, 1),
                        Ref.inline(new byte[] {5}, 2)))
                .object(7, utf8("0123")));
    for (String key : List.of("a/zarr.json", "a/c/0", "a/c/1", "a/c/2")) {
      VersionedBytes read = await(store.getVersioned(StoreKey.of(key), null, ReadCondition.ALWAYS));
      ReadCondition changed = ReadCondition.ifChanged(Objects.requireNonNull(read.version(), key));
      assertThat(await(store.getVersioned(StoreKey.of(key), null, changed)).isUnchanged())
          .as(key)
          .isTrue();
    }
  }

  @Test
  void an_offline_repository_is_refused_with_its_reason() {
    Store place = new WrittenRepository().status(2, "it moves to Rome").store();
    assertThat(errorOf(Icechunk.open(place)))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("offline")
        .hasMessageContaining("it moves to Rome");
    Store unknown = new WrittenRepository().status(9, null).store();
    assertThat(errorOf(Icechunk.open(unknown)))
        .isInstanceOf(UnsupportedFeatureException.class)
        .hasMessageContaining("unknown status 9");
  }

  @Test
  void a_later_version_of_the_specification_is_refused_by_its_number() {
    for (int[] versions : new int[][] {{3, 2}, {2, 3}}) {
      Store place = new WrittenRepository().specVersion(versions[0], versions[1]).store();
      assertThat(errorOf(Icechunk.open(place)))
          .isInstanceOf(UnsupportedFeatureException.class)
          .hasMessageContaining("version 3 of the Icechunk specification");
    }
  }

  @Test
  void what_is_no_repository_is_said_so() {
    assertThat(errorOf(Icechunk.open(MemoryStore.create())))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("no Icechunk repository")
        .hasMessageContaining("refs/branch.main/ref.json");
    Store text = MemoryStore.create();
    await(text.set(StoreKey.of("repo"), Bytes.utf8("a file of someone else")));
    assertThat(errorOf(Icechunk.open(text)))
        .hasMessageContaining("not a file of an Icechunk repository");
  }

  @Test
  void a_version_that_is_not_there_is_an_error_that_names_those_that_are() {
    IcechunkRepository repository =
        await(Icechunk.open(new WrittenRepository().group("/", "{}").store()));
    assertThat(errorOf(repository.store(IcechunkVersion.branch("dev"))))
        .hasMessageContaining("no branch \"dev\"")
        .hasMessageContaining("\"main\"");
    assertThat(errorOf(repository.store(IcechunkVersion.tag("v1"))))
        .hasMessageContaining("no tag \"v1\"");
    assertThat(errorOf(repository.store(IcechunkVersion.snapshot("main"))))
        .hasMessageContaining("not the id of a snapshot");
    assertThat(errorOf(repository.store(IcechunkVersion.snapshot(id(9)))))
        .hasMessageContaining("snapshots/" + id(9));
    assertThat(errorOf(repository.store(IcechunkVersion.asOf("main", Instant.ofEpochSecond(1)))))
        .hasMessageContaining("at 1970-01-01T00:00:01Z or before it");
  }

  @Test
  void a_history_in_a_circle_is_found_out() {
    IcechunkRepository repository =
        await(Icechunk.open(new WrittenRepository().parent(0).group("/", "{}").store()));
    assertThat(errorOf(repository.history(IcechunkVersion.MAIN).then()))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("circle");
    assertThat(errorOf(repository.snapshot(IcechunkVersion.asOf("main", Instant.ofEpochSecond(1)))))
        .hasMessageContaining("circle");
  }

  @Test
  void a_history_of_version_1_is_read_on_demand_and_a_circle_in_it_is_found_out() {
    InstrumentedStore place = InstrumentedStore.of(WrittenRepository.oldHistory(40));
    IcechunkRepository repository = await(Icechunk.open(place));
    assertThat(await(repository.history(IcechunkVersion.MAIN))).hasSize(40);
    IcechunkRepository cold = await(Icechunk.open(place));
    place.counts().reset();
    assertThat(await(cold.history(IcechunkVersion.MAIN).take(5)))
        .extracting(IcechunkSnapshot::message)
        .containsExactly("commit 40", "commit 39", "commit 38", "commit 37", "commit 36");
    assertThat(place.counts().total()).isLessThanOrEqualTo(6);
    Bytes tenth = await(place.get(StoreKey.of("snapshots/" + id(10))));
    byte[] circle = tenth.toByteArray();
    byte[] payload = Zstd.decompress(Arrays.copyOfRange(circle, 39, circle.length), 1 << 16);
    for (int i = 0; i + 12 <= payload.length; i++) {
      if (Arrays.equals(Arrays.copyOfRange(payload, i, i + 12), WrittenRepository.bytes12(9))) {
        payload[i + 11] = 30;
      }
    }
    byte[] file = WrittenRepository.file(1, payload);
    file[36] = 1;
    await(place.set(StoreKey.of("snapshots/" + id(10)), Bytes.wrap(file)));
    IcechunkRepository wrong = await(Icechunk.open(place));
    assertThat(errorOf(wrong.history(IcechunkVersion.MAIN).then()))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("circle");
  }

  @Test
  void a_file_in_the_place_of_another_one_is_refused() {
    WrittenRepository written = one(Ref.inline(new byte[] {1}, 0));
    Store place = written.store();
    Bytes snapshot = await(place.get(StoreKey.of("snapshots/" + SNAPSHOT)));
    Bytes manifest = await(place.get(StoreKey.of("manifests/" + id(100))));
    await(place.set(StoreKey.of("manifests/" + id(100)), snapshot));
    assertThat(errorOf(main(place, IcechunkOptions.defaults()).get(chunk())))
        .hasMessageContaining("expected a manifest, found a snapshot");
    await(place.set(StoreKey.of("snapshots/" + id(5)), snapshot));
    IcechunkRepository repository = await(Icechunk.open(place));
    assertThat(errorOf(repository.store(IcechunkVersion.snapshot(id(5)))))
        .hasMessageContaining("it is snapshot " + SNAPSHOT);
    await(place.set(StoreKey.of("manifests/" + id(100)), manifest));
    assertThat(await(main(place, IcechunkOptions.defaults()).get(chunk()))).isNotNull();
  }

  @Test
  void a_manifest_out_of_order_is_refused_since_a_search_would_miss_chunks() {
    Store place =
        new WrittenRepository()
            .array(
                "/a",
                "{}",
                new int[] {3},
                List.of(Ref.inline(new byte[] {1}, 1), Ref.inline(new byte[] {0}, 0)))
            .store();
    assertThat(errorOf(main(place, IcechunkOptions.defaults()).get(chunk())))
        .hasMessageContaining("not in the order of their indices");
  }

  @Test
  void a_file_that_expands_is_refused_before_it_is_large() {
    WrittenRepository written = one(Ref.inline(new byte[] {1}, 0));
    Store place = written.store();
    byte[] bomb = WrittenRepository.file(2, new byte[64 << 20]);
    await(place.set(StoreKey.of("manifests/" + id(100)), Bytes.wrap(bomb)));
    assertThat(errorOf(main(place, IcechunkOptions.defaults()).get(chunk())))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("decompresses to 67108864 bytes");
    IcechunkOptions small = IcechunkOptions.defaults().withMaxFileBytes(100);
    assertThat(errorOf(Icechunk.open(place, small))).isInstanceOf(ZarrException.class);
  }

  @Test
  void locations_are_decompressed_with_the_dictionary_of_their_manifest() {
    byte[] dictionary = utf8("s3://bucket/data/a-long-name-that-all-have/file-0000.nc".repeat(4));
    MemoryStore elsewhere = MemoryStore.create();
    await(elsewhere.set(StoreKey.of("file-0007.nc"), Bytes.utf8("0123456789")));
    List<Ref> refs =
        List.of(
            Ref.virtual("s3://bucket/data/a-long-name-that-all-have/file-0007.nc", 1, 3, 0),
            Ref.virtual("s3://bucket/" + "x".repeat(2000), 1, 3, 1));
    Store place = new WrittenRepository().array("/a", "{}", new int[] {2}, refs).store();
    await(
        place.set(
            StoreKey.of("manifests/" + id(100)),
            Bytes.wrap(
                WrittenRepository.file(
                    2,
                    WrittenRepository.manifest(
                        WrittenRepository.bytes12(100), 1, refs, dictionary)))));
    IcechunkOptions allowed =
        IcechunkOptions.defaults()
            .withContainers(
                VirtualContainers.builder()
                    .allow("s3://bucket/data/a-long-name-that-all-have/", elsewhere)
                    .build());
    Store store = main(place, allowed);
    assertThat(await(store.get(chunk()))).isEqualTo(Bytes.utf8("123"));
    assertThat(errorOf(store.get(StoreKey.of("a/c/1"))))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("at most 1024 bytes");
  }
}
