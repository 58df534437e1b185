package dev.zarrreactive.virtual;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.zarrreactive.base.ByteRange;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.error.AccessDeniedException;
import dev.zarrreactive.error.StoreException;
import dev.zarrreactive.error.UnsupportedFeatureException;
import dev.zarrreactive.store.ReadCondition;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.store.StoreOptions;
import dev.zarrreactive.store.StoredObject;
import dev.zarrreactive.store.Version;
import dev.zarrreactive.store.memory.MemoryStore;
import java.nio.file.Path;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.function.Supplier;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import reactor.core.publisher.Flux;

/** Which object of which store a location is. */
class VirtualContainersTest {
  private final Store store = MemoryStore.create();
  private final Store longer = MemoryStore.create();

  private static StoredObject object(VirtualContainers containers, VirtualLocation location) {
    return Objects.requireNonNull(containers.resolve(location).block()).object();
  }

  private static StoredObject object(VirtualContainers containers, String url) {
    return object(containers, VirtualLocation.of(url, 5, 7));
  }

  @ParameterizedTest
  @CsvSource({
    "s3://b/, s3://b/a.nc, a.nc",
    "s3://b, s3://b/x/a.nc, x/a.nc",
    "s3://b/x, S3://b/x/a.nc, a.nc",
    "s3://b/x/, s3://b/x/a.nc?versionId=1, a.nc",
    "s3://b/x/, s3://b/x/a.nc#part, a.nc",
    "s3://b/, s3://b/a%20b/c+d.nc, a b/c+d.nc",
    "s3://b/, s3://b/a%2520b, a%20b",
    "s3://b/, s3://b/100%, 100%",
    "s3://b/, s3://b/%zz/%4, %zz/%4",
    "s3://b/, s3://b/%C3%A9.nc, é.nc",
    "s3://b/, s3://b/é%3F%23.nc, é?#.nc",
    "s3://b/a%20b/, s3://b/a b/c.nc, c.nc",
    "gs://b/, gcs://b/a.nc, a.nc",
    "gcs://b/, gs://b/a.nc, a.nc",
    "az://c/, abfs://c/a.nc, a.nc",
    "abfs://c@account.dfs.core.windows.net/, azure://c@account.dfs.core.windows.net/a.nc, a.nc",
    "tigris://b/, tigris://b/a.nc, a.nc",
    "https://Host.Example/d, https://host.example:443/d/a.nc, a.nc",
    "http://host:80/, http://host/a.nc?token=1, a.nc",
    "file:///d/, file:///d/a.nc, a.nc",
    "/d/, file:/d/a.nc, a.nc",
    "file://localhost/d, /d/e/../a%20.nc, a%20.nc",
    "file:///d/, file:///d/e/%2e%2e/a%20.nc, a .nc",
    "ftp://host/, ftp://host/a.nc, a.nc",
    "vcc-like://host/, vcc-like://host/a.nc, a.nc",
  })
  void the_key_is_what_follows_the_prefix(String prefix, String url, String key) {
    VirtualContainers containers = VirtualContainers.builder().allow(prefix, store).build();
    assertThat(object(containers, url))
        .isEqualTo(new StoredObject(store, StoreKey.of(key), ReadCondition.ALWAYS));
  }

  @Test
  void the_longest_prefix_wins_whatever_the_order() {
    for (boolean isFirst : new boolean[] {true, false}) {
      VirtualContainers.Builder builder = VirtualContainers.builder();
      if (isFirst) {
        builder.allow("s3://b/x/", longer);
      }
      builder.allow("s3://b/", store);
      if (!isFirst) {
        builder.allow("s3://b/x/", longer);
      }
      VirtualContainers containers = builder.build();
      assertThat(object(containers, "s3://b/x/a").store()).isSameAs(longer);
      assertThat(object(containers, "s3://b/x/a").key()).isEqualTo(StoreKey.of("a"));
      assertThat(object(containers, "s3://b/xy/a").store()).isSameAs(store);
      assertThat(object(containers, "s3://b/x").store()).isSameAs(store);
    }
  }

  @Test
  void a_name_stands_for_its_prefix_and_allows_nothing() {
    VirtualContainers containers =
        VirtualContainers.builder()
            .allow("s3://b/x/", store)
            .build()
            .named(Map.of("a", "s3://b/x/y/", "b c", "s3://b/x", "d", "s3://other/"));
    assertThat(object(containers, "vcc://a/z.nc").key()).isEqualTo(StoreKey.of("y/z.nc"));
    assertThat(object(containers, "VCC://a/z%20z.nc").key()).isEqualTo(StoreKey.of("y/z z.nc"));
    assertThat(object(containers, "vcc://b%20c/z.nc").key()).isEqualTo(StoreKey.of("z.nc"));
    assertThat(object(containers, "vcc://b c/z.nc").key()).isEqualTo(StoreKey.of("z.nc"));
    assertThatThrownBy(() -> object(containers, "vcc://d/z.nc"))
        .hasMessageContaining("outside of every container");
    assertThatThrownBy(() -> object(containers, "vcc://e/z.nc"))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("[a, b c, d]");
  }

  @Test
  void a_checksum_is_a_condition() {
    VirtualContainers containers =
        VirtualContainers.builder().allow("s3://b/", store).allow("memory://b/", store).build();
    VirtualLocation location = VirtualLocation.whole("s3://b/a");
    assertThat(object(containers, location).condition()).isEqualTo(ReadCondition.ALWAYS);
    for (String tag : List.of("abc", "\"abc\"")) {
      assertThat(object(containers, location.with(new ObjectChecksum.ETag(tag))).condition())
          .isEqualTo(ReadCondition.ifMatch(new Version("\"abc\"")));
    }
    assertThat(
            object(
                    containers,
                    VirtualLocation.whole("memory://b/a").with(new ObjectChecksum.ETag("abc")))
                .condition())
        .isEqualTo(ReadCondition.ifMatch(new Version("abc")));
    Instant time = Instant.parse("2026-01-02T03:04:05.6Z");
    assertThat(object(containers, location.with(new ObjectChecksum.LastModified(time))).condition())
        .isEqualTo(ReadCondition.ifUnmodifiedSince(Instant.parse("2026-01-02T03:04:05Z")));
  }

  @Test
  void the_range_is_that_of_the_reference_and_none_for_a_whole_object() {
    VirtualContainers containers = VirtualContainers.builder().allow("s3://b/", store).build();
    assertThat(
            Objects.requireNonNull(containers.resolve(VirtualLocation.of("s3://b/a", 5, 7)).block())
                .range())
        .isEqualTo(new ByteRange.Slice(5, 7));
    assertThat(
            Objects.requireNonNull(containers.resolve(VirtualLocation.whole("s3://b/a")).block())
                .range())
        .isNull();
  }

  @Test
  void a_container_is_opened_once_and_closed_with_the_containers(@TempDir Path directory) {
    VirtualContainers containers = VirtualContainers.builder().allow(directory.toString()).build();
    List<StoredObject> objects =
        Flux.range(0, 50)
            .flatMap(i -> containers.resolve(VirtualLocation.whole(directory + "/" + i)), 50)
            .map(VirtualContainers.ResolvedLocation::object)
            .collectList()
            .block();
    assertThat(objects).hasSize(50).allMatch(each -> each.store() == objects.get(0).store());
    containers.named(Map.of()).close().block();
    VirtualContainers closed = VirtualContainers.builder().allow(directory.toString()).build();
    closed.close().block();
    assertThatThrownBy(() -> object(closed, directory + "/a"))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("is closed");
  }

  @Test
  void a_container_that_nothing_opens_says_so_when_it_is_needed() {
    VirtualContainers containers =
        VirtualContainers.builder()
            .allow("gs://b/")
            .allow("/d/", StoreOptions.none().with("region", "secret"))
            .build();
    assertThatThrownBy(() -> object(containers, "gs://b/a"))
        .isInstanceOf(UnsupportedFeatureException.class)
        .hasMessageContaining("gs");
    assertThatThrownBy(() -> object(containers, "/d/a"))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("file:///d/ cannot be opened")
        .hasMessageNotContaining("secret");
  }

  @ParameterizedTest
  @CsvSource({
    "s3://b/?query",
    "s3://b/#fragment",
    "relative",
    "s3:",
    "https://user:secret@host/",
    "''",
  })
  void a_prefix_that_is_no_prefix_is_refused_at_once(String prefix) {
    assertThatThrownBy(() -> VirtualContainers.builder().allow(prefix, store))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageNotContaining("secret");
  }

  @Test
  void a_prefix_is_allowed_once() {
    assertThatThrownBy(
            () -> VirtualContainers.builder().allow("s3://b/x", store).allow("S3://b/x/", longer))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("s3://b/x/ was allowed already");
  }

  @Test
  void what_is_allowed_can_be_seen() {
    assertThat(VirtualContainers.none()).hasToString("VirtualContainers[]");
    assertThat(
            VirtualContainers.builder()
                .allow("s3://b/", StoreOptions.none().with("profile", "secret"))
                .allow("https://host/a b/", store)
                .build())
        .hasToString("VirtualContainers[https://host/a%20b/, s3://b/]");
  }

  /** The naive model: prefixes and locations of few letters, compared as texts. */
  @Property(tries = 2000)
  void a_naive_model_finds_the_same(@ForAll long seed) {
    Random random = new Random(seed);
    Map<String, Store> allowed = new LinkedHashMap<>();
    VirtualContainers.Builder builder = VirtualContainers.builder();
    int count = random.nextInt(5);
    for (int i = 0; i < count; i++) {
      String prefix = origin(random) + path(random, 3);
      if (!allowed.containsKey(prefix)) {
        Store made = MemoryStore.create();
        allowed.put(prefix, made);
        builder.allow(
            random.nextBoolean() ? prefix : prefix.substring(0, prefix.length() - 1), made);
      }
    }
    VirtualContainers containers = builder.build();
    for (int i = 0; i < 20; i++) {
      String url = origin(random) + path(random, 4) + "o";
      String best = null;
      for (String prefix : allowed.keySet()) {
        if (url.startsWith(prefix) && (best == null || prefix.length() > best.length())) {
          best = prefix;
        }
      }
      assertThat(found(containers, url + (random.nextBoolean() ? "?q=/x/" : "")))
          .as("%s among %s", url, allowed.keySet())
          .isEqualTo(
              best == null
                  ? null
                  : new StoredObject(
                      Objects.requireNonNull(allowed.get(best)),
                      StoreKey.of(url.substring(best.length())),
                      ReadCondition.ALWAYS));
    }
  }

  private static @Nullable StoredObject found(VirtualContainers containers, String url) {
    return containers
        .resolve(VirtualLocation.whole(url))
        .map(VirtualContainers.ResolvedLocation::object)
        .onErrorComplete(AccessDeniedException.class)
        .block();
  }

  private static String origin(Random random) {
    return List.of("s3://a/", "s3://b/", "gs://a/", "https://a/").get(random.nextInt(4));
  }

  private static String path(Random random, int most) {
    StringBuilder path = new StringBuilder();
    int segments = random.nextInt(most + 1);
    for (int i = 0; i < segments; i++) {
      path.append(List.of("x", "xx", "y", "x.y", " ").get(random.nextInt(5))).append('/');
    }
    return path.toString();
  }

  /** Any range of any reference is the range of the bytes that the reference has. */
  @Property(tries = 1000)
  void a_range_is_taken_inside_of_the_reference(@ForAll long seed) {
    Random random = new Random(seed);
    byte[] object = new byte[50];
    random.nextBytes(object);
    MemoryStore objects = MemoryStore.create();
    objects.set(StoreKey.of("o"), Bytes.wrap(object)).block();
    int offset = random.nextInt(50);
    int length = random.nextInt(50 - offset) + 1;
    Bytes value = Bytes.wrap(object).slice(offset, length);
    ReferencedStore store =
        new ReferencedStore(VirtualContainers.builder().allow("s3://b/", objects).build())
            .put("k", VirtualLocation.of("s3://b/o", offset, length));
    ByteRange range =
        switch (random.nextInt(4)) {
          case 0 -> new ByteRange.Slice(random.nextInt(60), random.nextInt(60));
          case 1 -> new ByteRange.From(random.nextInt(60));
          case 2 -> new ByteRange.Suffix(random.nextInt(60));
          default -> new ByteRange.Whole(random.nextInt(60));
        };
    StoreKey key = StoreKey.of("k");
    assertThat(outcome(() -> store.get(key, range).block()))
        .isEqualTo(outcome(() -> range.of(key, value)));
    assertThat(store.get(key).block()).isEqualTo(value);
  }

  private static Object outcome(Supplier<@Nullable Bytes> read) {
    try {
      return Objects.requireNonNull(read.get());
    } catch (StoreException e) {
      return e.getClass();
    }
  }
}
